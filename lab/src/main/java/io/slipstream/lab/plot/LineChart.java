package io.slipstream.lab.plot;

import io.slipstream.lab.Figure;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Sample;
import java.util.List;
import java.util.Map;

/**
 * A line of medians for each series over a numeric x on a logarithmic axis, with a whisker for the spread of each
 * point.
 */
final class LineChart {
    private static final double WIDTH = 640;
    private static final double HEIGHT = 300;
    private static final double LEFT = 56;
    private static final double RIGHT = 14;
    private static final double TOP = 16;
    private static final double LEGEND_ROW = 18;

    private LineChart() {}

    /**
     * Draws the chart.
     *
     * @param marks x values to mark with a name, such as the sizes of caches
     */
    static String draw(Plot plot, Findings found, Map<Double, String> marks) {
        List<String> series = found.series(plot.metric());
        List<Double> xs =
                found.xs(plot.metric()).stream().map(Double::valueOf).sorted().toList();
        double bottom = HEIGHT - 40;
        Svg svg = new Svg(WIDTH, HEIGHT + legendRow(series.size() + 1), plot.metric() + " by " + plot.xLabel());
        double least = Double.MAX_VALUE;
        double most = 0;
        for (String name : series) {
            for (String x : found.xs(plot.metric())) {
                Sample sample = found.find(name, x, plot.metric());
                if (sample != null) {
                    least = Math.min(least, sample.min() > 0 ? sample.min() : sample.max() > 0 ? sample.max() : least);
                    most = Math.max(most, sample.max());
                }
            }
        }
        Scale y = plot.logarithmic()
                ? Scale.logarithmic(Math.min(least, most), Math.max(most, Double.MIN_NORMAL), bottom, TOP)
                : Scale.linear(most, bottom, TOP);
        Scale x = Scale.logarithmicExact(xs.get(0), xs.get(xs.size() - 1), LEFT + 16, WIDTH - RIGHT - 16);
        for (double tick : y.ticks()) {
            svg.line("grid", LEFT, y.at(tick), WIDTH - RIGHT, y.at(tick));
            svg.text("tick", "end", LEFT - 6, y.at(tick) + 4, Figure.axis(tick));
        }
        ticks(svg, plot, xs, x, bottom);
        marks.forEach((value, name) -> {
            if (value >= xs.get(0) && value <= xs.get(xs.size() - 1)) {
                svg.line("mark", x.at(value), TOP, x.at(value), bottom);
                svg.text("tick", "end", x.at(value) - 4, TOP + 10, name);
            }
        });
        for (int i = 0; i < series.size(); i++) {
            Series shown = new Series(i, series.size());
            series(svg, plot.metric(), found, series.get(i), shown, x, y);
            double legendX = LEFT + (i % 2) * (WIDTH - LEFT) / 2;
            double legendY = HEIGHT + legendRow(i) + 6;
            svg.mark(shown, legendX, legendY - 4, series.get(i));
            svg.text("label", "start", legendX + 10, legendY, series.get(i));
        }
        svg.text("axis", "end", WIDTH - RIGHT, bottom + 32, plot.xLabel());
        svg.text("axis", "start", LEFT, TOP - 5, plot.metric() + (plot.moreIsBetter() ? " (more is better)" : ""));
        return svg.end();
    }

    /** As many x labels as have room. */
    private static void ticks(Svg svg, Plot plot, List<Double> xs, Scale x, double bottom) {
        double free = Double.NEGATIVE_INFINITY;
        for (double value : xs) {
            if (x.at(value) >= free) {
                String text = plot.xLabel().contains("bytes") ? Figure.bytes((long) value) : Figure.axis(value);
                svg.line("grid", x.at(value), bottom, x.at(value), bottom + 4);
                svg.text("tick", "middle", x.at(value), bottom + 16, text);
                free = x.at(value) + 10 * text.length() + 10;
            }
        }
    }

    private static void series(Svg svg, String metric, Findings found, String name, Series shown, Scale x, Scale y) {
        List<String> xs = found.xs(metric).stream()
                .filter(v -> found.find(name, v, metric) != null)
                .sorted((a, b) -> Double.compare(Double.parseDouble(a), Double.parseDouble(b)))
                .toList();
        StringBuilder points = new StringBuilder();
        for (String at : xs) {
            Sample sample = found.get(name, at, metric);
            points.append(points.isEmpty() ? "" : " ")
                    .append(Svg.number(x.at(Double.parseDouble(at))))
                    .append(',')
                    .append(Svg.number(y.at(sample.median())));
        }
        svg.path(shown.lineStyle(), points.toString());
        for (String at : xs) {
            Sample sample = found.get(name, at, metric);
            double px = x.at(Double.parseDouble(at));
            svg.line(shown.thinStyle(), px, y.at(sample.min()), px, y.at(sample.max()));
            svg.mark(
                    shown,
                    px,
                    y.at(sample.median()),
                    name + ", " + at + ": " + Figure.show(sample.median()) + " " + metric);
        }
    }

    /** Two entries stand in a row. */
    private static double legendRow(int entry) {
        int row = entry / 2;
        return LEGEND_ROW * row;
    }
}
