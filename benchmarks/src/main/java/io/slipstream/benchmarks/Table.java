package io.slipstream.benchmarks;

import java.util.Locale;

/** Results as lines of text: one for each comparison. */
final class Table {
    private static final String FORMAT = "%-34s %10s %10s  %-16s %-15s %6s  %-15s %-8s %-4s %-11s %s";
    private static final double MEGABYTE = 1e6;

    private Table() {}

    static String header() {
        return String.format(
                Locale.ROOT,
                FORMAT,
                "comparison",
                "ours",
                "peer",
                "unit",
                "MB/s",
                "ratio",
                "spread",
                "target",
                "met",
                "CPU trip",
                "peer's name");
    }

    static String line(Result result) {
        Target target = result.target();
        Boolean met = result.met();
        return String.format(
                Locale.ROOT,
                FORMAT,
                result.suite() + ": " + result.comparison().name(),
                figure(result.ours().median()),
                figure(result.peer().median()),
                result.comparison().unit().name(),
                megabytes(result),
                String.format(Locale.ROOT, "%.2f", result.ratio()),
                percent(result.ours().spread()) + " / " + percent(result.peer().spread()),
                target == null ? "-" : target.toString(),
                met == null ? "-" : met ? "yes" : "NO",
                String.format(
                        Locale.ROOT,
                        "%.0f-%.0f ns",
                        result.trips().least(),
                        result.trips().greatest()),
                result.comparison().peerName());
    }

    private static String megabytes(Result result) {
        double bytes = result.comparison().unit().bytes();
        return bytes == 0
                ? "-"
                : String.format(
                        Locale.ROOT,
                        "%,.1f / %,.1f",
                        result.ours().median() * bytes / MEGABYTE,
                        result.peer().median() * bytes / MEGABYTE);
    }

    private static String figure(double figure) {
        return String.format(Locale.ROOT, figure >= 1_000 ? "%,.0f" : figure >= 10 ? "%.1f" : "%.3f", figure);
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * part);
    }
}
