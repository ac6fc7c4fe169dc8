package io.slipstream.lab;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A size that an experiment works with: how much it is in its full form, which has the parameters of the articles, and
 * how much it was in the form that was run.
 *
 * @param unit what is counted, {@code "increments"}; {@code bytes}, {@code ms} and {@code ns} at its beginning are a
 * unit,
 *     as in {@code "bytes of a file"}
 */
public record Size(String unit, long full, long here) {

    /** A sentence: both, or one where they are the same; empty where there are no sizes. */
    public static String words(List<Size> sizes) {
        if (sizes.stream().allMatch(size -> size.full == size.here)) {
            return sizes.isEmpty()
                    ? ""
                    : "The article's sizes: "
                            + sizes.stream().map(size -> size.words(size.here)).collect(Collectors.joining(", ")) + ".";
        }
        return "Sizes in the article (--full): "
                + sizes.stream().map(size -> size.words(size.full)).collect(Collectors.joining(", "))
                + "; here: " + sizes.stream().map(size -> size.words(size.here)).collect(Collectors.joining(", "))
                + ".";
    }

    private String words(long amount) {
        String first = unit.replaceFirst(" .*", "");
        String rest = unit.substring(first.length());
        return switch (first) {
            case "bytes" -> Figure.bytes(amount) + rest;
            case "ms" -> time(amount * 1e6) + rest;
            case "ns" -> time(amount) + rest;
            default -> String.format(Locale.ROOT, "%,d %s", amount, unit);
        };
    }

    private static String time(double nanos) {
        return nanos >= 1e9
                ? Figure.show(nanos / 1e9) + " s"
                : nanos >= 1e6 ? Figure.show(nanos / 1e6) + " ms" : Figure.show(nanos / 1e3) + " µs";
    }
}
