package io.slipstream.lab.plot;

import io.slipstream.lab.Figure;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Sample;
import io.slipstream.lab.machine.CpuList;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Rows and columns coloured by value, with the values written in; of two by two only one is a number worth drawing. */
final class HeatMap {
    private static final double EDGE = 60;
    private static final int VALUES_UP_TO = 16;

    private HeatMap() {}

    /**
     * Draws the map.
     *
     * @param siblings groups of processors that share a core, such as {@code "0,4"}; neighbours in the map, and marked
     */
    static String draw(Plot plot, Findings found, List<String> siblings) {
        List<String> names = order(found, plot.metric(), siblings);
        if (names.size() <= 2) {
            return number(plot, found);
        }
        double cell = Math.max(10, Math.min(44, 560.0 / names.size()));
        double size = EDGE + cell * names.size();
        Svg svg = new Svg(size + 10, size + 30, plot.metric());
        double least = Double.MAX_VALUE;
        double most = 0;
        for (String row : names) {
            for (String column : names) {
                Sample sample = between(found, row, column, plot.metric());
                if (sample != null) {
                    least = Math.min(least, sample.median());
                    most = Math.max(most, sample.median());
                }
            }
        }
        for (int r = 0; r < names.size(); r++) {
            svg.text("tick", "end", EDGE - 6, EDGE + cell * r + cell / 2 + 4, names.get(r));
            svg.text("tick", "middle", EDGE + cell * r + cell / 2, EDGE - 6, names.get(r));
            for (int c = 0; c < names.size(); c++) {
                Sample sample = between(found, names.get(r), names.get(c), plot.metric());
                if (sample != null) {
                    double part = most > least ? (sample.median() - least) / (most - least) : 0;
                    boolean together = areSiblings(siblings, names.get(r), names.get(c));
                    svg.shade(
                            together ? "heat sibling" : "heat",
                            0.12 + 0.88 * part,
                            EDGE + cell * c,
                            EDGE + cell * r,
                            cell - 1,
                            cell - 1,
                            names.get(r) + " to " + names.get(c) + ": " + Figure.show(sample.median())
                                    + (together ? " (same core)" : ""));
                    if (names.size() <= VALUES_UP_TO) {
                        svg.text(
                                part > 0.55 ? "cell strong" : "cell",
                                "middle",
                                EDGE + cell * c + cell / 2,
                                EDGE + cell * r + cell / 2 + 4,
                                Figure.show(sample.median()));
                    }
                }
            }
        }
        svg.text(
                "axis",
                "start",
                4,
                14,
                plot.metric() + ", processor by processor"
                        + (siblings.stream().anyMatch(s -> s.contains(",") || s.contains("-"))
                                ? "; framed: same core"
                                : ""));
        return svg.end();
    }

    /** Of two processors: the one distance, both ways together. */
    private static String number(Plot plot, Findings found) {
        List<Double> both = new ArrayList<>();
        for (String a : found.series(plot.metric())) {
            for (String b : found.xs(plot.metric())) {
                Sample sample = found.find(a, b, plot.metric());
                both.addAll(sample == null ? List.of() : sample.values());
            }
        }
        Svg svg = new Svg(420, 100, plot.metric());
        if (both.isEmpty()) {
            return svg.text("axis", "start", 10, 50, "nothing measured").end();
        }
        Sample sample = new Sample(both);
        return svg.text("big", "start", 10, 50, Figure.show(sample.median()))
                .text("axis", "start", 12, 74, plot.metric() + ", both ways")
                .text("axis", "start", 12, 92, Figure.show(sample.min()) + " to " + Figure.show(sample.max()))
                .end();
    }

    /** There and back is as far as back and there, so that one of the two may be missing. */
    private static @Nullable Sample between(Findings found, String a, String b, String metric) {
        Sample there = found.find(a, b, metric);
        return there == null ? found.find(b, a, metric) : there;
    }

    /** Siblings first by their core, so that near processors stand together. */
    private static List<String> order(Findings found, String metric, List<String> siblings) {
        Set<String> all = new TreeSet<>((a, b) -> Integer.compare(place(siblings, a), place(siblings, b)));
        all.addAll(found.series(metric));
        all.addAll(found.xs(metric));
        return List.copyOf(all);
    }

    private static int place(List<String> siblings, String cpu) {
        int number = Integer.parseInt(cpu);
        for (int i = 0; i < siblings.size(); i++) {
            if (CpuList.parse(siblings.get(i)).contains(number)) {
                return i * 10_000 + number;
            }
        }
        return number;
    }

    private static boolean areSiblings(List<String> siblings, String a, String b) {
        return siblings.stream()
                .map(CpuList::parse)
                .anyMatch(core -> core.containsAll(List.of(Integer.valueOf(a), Integer.valueOf(b))));
    }
}
