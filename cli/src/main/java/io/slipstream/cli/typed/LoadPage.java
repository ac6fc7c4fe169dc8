package io.slipstream.cli.typed;

import static io.slipstream.cli.typed.LoadFiles.text;

import io.slipstream.cli.console.OutputFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** One page without anything from elsewhere: latency by load, latency by time, and the figures. */
final class LoadPage {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 300;
    private static final int LEFT = 70;
    private static final int BOTTOM = 40;
    private static final double LEAST_MICROS = 1;
    /* Whole numbers at the ticks would not tell them apart. */
    private static final int FEW = 10;
    private static final List<Line> LINES = List.of(
            new Line("50 %", "#2a78b5", 50), new Line("99 %", "#d9822b", 99), new Line("99.9 %", "#b5332a", 99.9));

    private record Line(String name, String color, double percentile) {
        double micros(Histogram latencies) {
            return Math.max(LEAST_MICROS, latencies.getValueAtPercentile(percentile) / 1e3);
        }
    }

    private record Point(double x, Histogram latencies) {}

    private LoadPage() {}

    static void write(Path file, String title, List<Measured> steps) throws IOException {
        List<Point> byLoad = new ArrayList<>();
        List<Point> byTime = new ArrayList<>();
        for (Measured step : steps) {
            byLoad.add(new Point(step.answeredPerSecond(), step.latencies()));
            double begun = (step.beganMillis() - steps.getFirst().beganMillis()) / 1e3;
            step.intervals().forEach(each -> byTime.add(new Point(begun + each.seconds(), each.latencies())));
        }
        OutputFile.write(
                file,
                String.format(
                        Locale.ROOT,
                        """
                        <!doctype html>
                        <html lang="en"><meta charset="utf-8"><title>%1$s</title>
                        <style>
                        body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 900px;
                          padding: 0 1em }
                        table { border-collapse: collapse } td, th { padding: .2em .8em; text-align: right }
                        th { border-bottom: 1px solid #999 } svg { width: 100%% }
                        svg text { font-size: 12px; fill: #555 }
                        </style>
                        <h1>%1$s</h1>
                        <p>Latency counts from when each command was due, whether or not it could be sent then.</p>
                        <h2>Latency by load</h2>
                        %2$s
                        <h2>Latency by time</h2>
                        %3$s
                        <h2>Figures</h2>
                        %4$s
                        </html>
                        """,
                        escape(title),
                        plot(byLoad, "answered a second"),
                        plot(byTime, "seconds"),
                        table(steps)));
    }

    private static String plot(List<Point> points, String xName) {
        double greatestX = points.stream().mapToDouble(Point::x).max().orElse(1);
        double least =
                Math.floor(Math.log10(extreme(points, each -> LINES.getFirst().micros(each), false)));
        double greatest = Math.max(
                least + 1,
                Math.ceil(Math.log10(extreme(points, each -> LINES.getLast().micros(each), true))));
        StringBuilder svg = new StringBuilder(text("<svg viewBox=\"0 0 %d %d\" role=\"img\">", WIDTH, HEIGHT));
        for (double power = least; power <= greatest; power++) {
            double y = y(Math.pow(10, power), least, greatest);
            svg.append(text(
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>", LEFT, WIDTH - 10, y, y));
            svg.append(text(
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
                    LEFT - 6, y + 4, time(Math.pow(10, power))));
        }
        for (int tick = 0; tick <= 4; tick++) {
            double value = greatestX * tick / 4;
            svg.append(text(
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                    x(value, greatestX), HEIGHT - BOTTOM + 18, text(greatestX < FEW ? "%.1f" : "%,.0f", value)));
        }
        svg.append(text(
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>", (LEFT + WIDTH) / 2, HEIGHT - 4, xName));
        for (int i = 0; i < LINES.size(); i++) {
            Line line = LINES.get(i);
            StringBuilder path = new StringBuilder();
            for (Point point : points) {
                if (point.latencies.getTotalCount() > 0) {
                    double x = x(point.x, greatestX);
                    double y = y(line.micros(point.latencies), least, greatest);
                    path.append(text("%.1f,%.1f ", x, y));
                    // A line through one point is none.
                    svg.append(text("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>", x, y, line.color));
                }
            }
            svg.append(text(
                    "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>",
                    line.color, path.toString().strip()));
            svg.append(text(
                    "<text x=\"%d\" y=\"14\" style=\"fill:%s\">%s</text>", LEFT + 10 + 70 * i, line.color, line.name));
        }
        return svg.append("</svg>").toString();
    }

    private static double extreme(List<Point> points, ToDoubleFunction<Histogram> value, boolean greatest) {
        var values = points.stream()
                .map(Point::latencies)
                .filter(each -> each.getTotalCount() > 0)
                .mapToDouble(value);
        return (greatest ? values.max() : values.min()).orElse(LEAST_MICROS);
    }

    private static double x(double value, double greatest) {
        return LEFT + value / Math.max(greatest, 1e-9) * (WIDTH - LEFT - 20);
    }

    private static double y(double micros, double least, double greatest) {
        return 20 + (greatest - Math.log10(micros)) / (greatest - least) * (HEIGHT - BOTTOM - 20);
    }

    private static String table(List<Measured> steps) {
        StringBuilder table = new StringBuilder("<table><tr><th>offered/s<th>answered/s<th>refused<th>failed<th>50 %"
                + "<th>99 %<th>99.9 %<th>greatest</tr>\n");
        for (Measured step : steps) {
            table.append(text(
                    "<tr><td>%,.0f<td>%,.0f<td>%,d<td>%,d",
                    step.rate(),
                    step.answeredPerSecond(),
                    step.tally().busy(),
                    step.tally().failed() + step.outstanding()));
            LINES.forEach(line -> table.append("<td>").append(time(line.micros(step.latencies()))));
            table.append("<td>")
                    .append(time(step.latencies().getMaxValue() / 1e3))
                    .append("</tr>\n");
        }
        return table.append("</table>").toString();
    }

    private static String time(double micros) {
        return micros < 1_000
                ? text("%.0f µs", micros)
                : micros < 1_000_000 ? text("%.4g ms", micros / 1e3) : text("%.4g s", micros / 1e6);
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
