package io.slipstream.lab.plot;

import io.slipstream.lab.Figure;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Sample;
import java.util.ArrayList;
import java.util.List;

/** Horizontal bars of medians, with whiskers from the least to the greatest round and a box over the middle half. */
final class BarChart {
    private static final double WIDTH = 640;
    private static final double LABEL = 205;
    private static final double VALUE = 70;
    private static final double ROW = 26;
    private static final double TOP = 8;

    private record Bar(String label, int colour, Sample sample) {}

    private BarChart() {}

    static String draw(Plot plot, Findings found) {
        List<Bar> bars = bars(plot, found);
        double axis = TOP + ROW * bars.size();
        Svg svg = new Svg(WIDTH, axis + 36, plot.metric());
        double largest = bars.stream().mapToDouble(b -> b.sample.max()).max().orElse(1);
        double smallest = bars.stream()
                .mapToDouble(b -> b.sample.min())
                .filter(v -> v > 0)
                .min()
                .orElse(1);
        double right = WIDTH - VALUE;
        Scale scale = plot.logarithmic()
                ? Scale.logarithmic(smallest / 1.5, largest, LABEL, right)
                : Scale.linear(largest, LABEL, right);
        for (double tick : scale.ticks()) {
            svg.line("grid", scale.at(tick), TOP, scale.at(tick), axis);
            svg.text("tick", "middle", scale.at(tick), axis + 14, Figure.axis(tick));
        }
        for (int i = 0; i < bars.size(); i++) {
            row(svg, bars.get(i), TOP + ROW * i, scale, plot.metric());
        }
        svg.text(
                "axis",
                "end",
                right,
                axis + 30,
                plot.metric()
                        + (plot.moreIsBetter() ? " (more is better)" : "")
                        + (plot.logarithmic() ? ", logarithmic" : ""));
        return svg.end();
    }

    private static void row(Svg svg, Bar bar, double y, Scale scale, String metric) {
        Sample sample = bar.sample;
        double middle = y + ROW / 2;
        String hint = bar.label + ": " + Figure.show(sample.median()) + " " + metric + " (" + Figure.show(sample.min())
                + " to " + Figure.show(sample.max()) + ", " + sample.size() + " rounds)";
        svg.text("label", "end", LABEL - 8, middle + 4, bar.label);
        svg.rectangle("bar c" + bar.colour, LABEL, y + 4, scale.at(sample.median()) - LABEL, ROW - 8, hint);
        svg.line("whisker", scale.at(sample.min()), middle, scale.at(sample.max()), middle);
        svg.line("whisker", scale.at(sample.low()), middle - 5, scale.at(sample.low()), middle + 5);
        svg.line("whisker", scale.at(sample.high()), middle - 5, scale.at(sample.high()), middle + 5);
        svg.text("value", "start", scale.at(sample.max()) + 6, middle + 4, Figure.show(sample.median()));
    }

    /** Cases of the same x stand together when there are several x. */
    private static List<Bar> bars(Plot plot, Findings found) {
        List<String> series = found.series(plot.metric());
        List<Bar> bars = new ArrayList<>();
        for (String x : found.xs(plot.metric())) {
            for (int i = 0; i < series.size(); i++) {
                Sample sample = found.find(series.get(i), x, plot.metric());
                if (sample != null) {
                    bars.add(new Bar(series.get(i) + (x.isEmpty() ? "" : ", " + x), i % Palette.COLOURS, sample));
                }
            }
        }
        return bars;
    }
}
