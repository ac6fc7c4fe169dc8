package io.slipstream.lab.plot;

import io.slipstream.lab.Figure;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Sample;
import java.util.List;

/** Latency by percentile; the x axis stretches the tail: 0, 90, 99, 99.9 lie equally far apart. */
final class PercentileChart {
    private static final double WIDTH = 640;
    private static final double HEIGHT = 280;
    private static final double LEFT = 56;
    private static final double RIGHT = 20;
    private static final double TOP = 18;
    private static final double LEGEND_ROW = 18;

    private PercentileChart() {}

    static String draw(Plot plot, Findings found) {
        List<String> series = found.series(plot.metric());
        List<String> percentiles = found.xs(plot.metric());
        double least = Double.MAX_VALUE;
        double most = 0;
        for (String name : series) {
            for (String p : percentiles) {
                Sample sample = found.find(name, p, plot.metric());
                if (sample != null) {
                    least = Math.min(least, sample.median());
                    most = Math.max(most, sample.median());
                }
            }
        }
        double bottom = HEIGHT - 40;
        double tail =
                percentiles.stream().mapToDouble(PercentileChart::stretch).max().orElse(1);
        Svg svg = new Svg(WIDTH, HEIGHT + LEGEND_ROW * series.size(), plot.metric() + " by percentile");
        Scale y = Scale.logarithmic(least, most, bottom, TOP);
        for (double tick : y.ticks()) {
            svg.line("grid", LEFT, y.at(tick), WIDTH - RIGHT, y.at(tick));
            svg.text("tick", "end", LEFT - 6, y.at(tick) + 4, Figure.axis(tick));
        }
        for (String p : percentiles) {
            svg.line("grid", at(p, tail), TOP, at(p, tail), bottom);
            svg.text("tick", "middle", at(p, tail), bottom + 16, p);
        }
        for (int i = 0; i < series.size(); i++) {
            Series shown = new Series(i, series.size());
            StringBuilder points = new StringBuilder();
            for (String p : percentiles) {
                Sample sample = found.find(series.get(i), p, plot.metric());
                if (sample != null) {
                    points.append(points.isEmpty() ? "" : " ")
                            .append(Svg.number(at(p, tail)))
                            .append(',')
                            .append(Svg.number(y.at(sample.median())));
                    svg.mark(
                            shown,
                            at(p, tail),
                            y.at(sample.median()),
                            series.get(i) + ", " + p + " %: " + Figure.show(sample.median()) + " " + plot.metric());
                }
            }
            svg.path(shown.lineStyle(), points.toString());
            svg.mark(shown, LEFT, HEIGHT + LEGEND_ROW * i + 2, series.get(i));
            svg.text("label", "start", LEFT + 10, HEIGHT + LEGEND_ROW * i + 6, series.get(i));
        }
        svg.text("axis", "end", WIDTH - RIGHT, bottom + 32, "percentile");
        svg.text("axis", "start", LEFT, TOP - 6, plot.metric());
        return svg.end();
    }

    private static double at(String percentile, double tail) {
        return LEFT + 16 + (WIDTH - LEFT - RIGHT - 32) * stretch(percentile) / tail;
    }

    private static double stretch(String percentile) {
        return -Math.log10(1 - Math.min(Double.parseDouble(percentile), 99.9999) / 100);
    }
}
