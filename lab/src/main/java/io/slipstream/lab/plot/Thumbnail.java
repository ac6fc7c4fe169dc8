package io.slipstream.lab.plot;

import io.slipstream.lab.Findings;
import io.slipstream.lab.Plot;
import io.slipstream.lab.Sample;
import java.util.List;

/** A plot as small as a word: bars of medians, or a line for each series. The plot itself has axes and figures. */
public final class Thumbnail {
    private static final double WIDTH = 120;
    private static final double HEIGHT = 30;
    private static final double EDGE = 2;
    private static final int MOST_BARS = 6;

    private Thumbnail() {}

    /** The SVG, or an empty text where there is nothing to draw in so little room. */
    public static String draw(Plot plot, Findings found) {
        return switch (plot.kind()) {
            case BARS -> bars(plot, found);
            case LINES -> lines(plot, found);
            case HEAT, PERCENTILES -> "";
        };
    }

    private static String bars(Plot plot, Findings found) {
        List<String> series = found.series(plot.metric());
        List<Double> medians = found.xs(plot.metric()).stream()
                .flatMap(x -> series.stream().map(one -> median(found, one, x, plot.metric())))
                .filter(median -> median > 0)
                .limit(MOST_BARS)
                .toList();
        if (medians.size() < 2) {
            return "";
        }
        double largest = medians.stream().mapToDouble(m -> m).max().orElse(1);
        double smallest = medians.stream().mapToDouble(m -> m).min().orElse(1);
        Scale scale = plot.logarithmic()
                ? Scale.logarithmic(smallest / 1.5, largest, EDGE, WIDTH - EDGE)
                : Scale.linear(largest, EDGE, WIDTH - EDGE);
        double row = HEIGHT / medians.size();
        Svg svg = new Svg(WIDTH, HEIGHT, plot.metric());
        for (int i = 0; i < medians.size(); i++) {
            double width = scale.at(medians.get(i)) - EDGE;
            svg.shade("bar c" + i % Palette.COLOURS, 1, EDGE, i * row, Math.max(1, width), row - 1, plot.metric());
        }
        return svg.end();
    }

    private static String lines(Plot plot, Findings found) {
        List<Double> xs = found.xs(plot.metric()).stream()
                .filter(x -> x.matches("[\\d.]+"))
                .map(Double::valueOf)
                .sorted()
                .toList();
        List<String> series = found.series(plot.metric());
        List<Double> all = series.stream()
                .flatMap(one -> found.xs(plot.metric()).stream().map(x -> median(found, one, x, plot.metric())))
                .filter(median -> median > 0)
                .toList();
        if (xs.size() < 2 || all.isEmpty()) {
            return "";
        }
        double largest = all.stream().mapToDouble(m -> m).max().orElse(1);
        double smallest = all.stream().mapToDouble(m -> m).min().orElse(1);
        Scale y = Scale.logarithmicExact(smallest / 1.1, largest * 1.1, HEIGHT - EDGE, EDGE);
        Scale x = Scale.linear(xs.size() - 1, EDGE, WIDTH - EDGE);
        Svg svg = new Svg(WIDTH, HEIGHT, plot.metric());
        for (int i = 0; i < series.size(); i++) {
            StringBuilder points = new StringBuilder();
            for (String at : found.xs(plot.metric())) {
                double median = median(found, series.get(i), at, plot.metric());
                if (median > 0 && at.matches("[\\d.]+")) {
                    points.append(points.isEmpty() ? "" : " ")
                            .append(Svg.number(x.at(xs.indexOf(Double.valueOf(at)))))
                            .append(',')
                            .append(Svg.number(y.at(median)));
                }
            }
            svg.path("line s" + i % Palette.COLOURS, points.toString());
        }
        return svg.end();
    }

    private static double median(Findings found, String series, String x, String metric) {
        Sample sample = found.find(series, x, metric);
        return sample == null ? 0 : sample.median();
    }
}
