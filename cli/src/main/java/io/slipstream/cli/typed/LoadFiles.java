package io.slipstream.cli.typed;

import io.slipstream.cli.console.OutputFile;
import io.slipstream.cli.load.Tally;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** Writes what came of a load to files that other tools read. */
final class LoadFiles {
    private LoadFiles() {}

    /** Writes a log of histograms, one for each second, tagged with the rate of its step. */
    static void hdr(Path file, List<Measured> steps) throws IOException {
        HistogramLogWriter log = new HistogramLogWriter(file.toFile());
        try {
            long base = steps.getFirst().beganMillis();
            log.outputComment("[Logged by slipstream load, in nanoseconds from when each command was due]");
            log.outputLogFormatVersion();
            log.outputBaseTime(base);
            log.setBaseTime(base);
            log.outputLegend();
            for (Measured step : steps) {
                double from = 0;
                for (Measured.Interval interval : step.intervals()) {
                    Histogram latencies = interval.latencies();
                    latencies.setTag(Math.round(step.rate()) + "/s");
                    latencies.setStartTimeStamp(step.beganMillis() + (long) (from * 1000));
                    latencies.setEndTimeStamp(step.beganMillis() + (long) (interval.seconds() * 1000));
                    log.outputIntervalHistogram(latencies);
                    from = interval.seconds();
                }
            }
        } finally {
            log.close();
        }
    }

    /** Writes all figures, times in nanoseconds. */
    static void json(Path file, List<Measured> steps) throws IOException {
        OutputFile.write(
                file,
                "{\"steps\":[\n" + steps.stream().map(LoadFiles::json).collect(Collectors.joining(",\n")) + "\n]}\n");
    }

    private static String json(Measured step) {
        return text(
                        "{\"rate\":%.1f,\"seconds\":%.3f,\"answeredPerSecond\":%.1f,"
                                + "\"outstanding\":%d,%s,\"intervals\":[",
                        step.rate(),
                        step.seconds(),
                        step.answeredPerSecond(),
                        step.outstanding(),
                        figures(step.tally(), step.latencies()))
                + step.intervals().stream()
                        .map(interval -> text(
                                "{\"until\":%.3f,%s}",
                                interval.seconds(), figures(interval.tally(), interval.latencies())))
                        .collect(Collectors.joining(","))
                + "]}";
    }

    private static String figures(Tally tally, Histogram latencies) {
        return text(
                "\"offered\":%d,\"answered\":%d,\"busy\":%d,\"failed\":%d,\"p50\":%d,\"p99\":%d,\"p999\":%d,"
                        + "\"max\":%d",
                tally.offered(),
                tally.answered(),
                tally.busy(),
                tally.failed(),
                latencies.getValueAtPercentile(50),
                latencies.getValueAtPercentile(99),
                latencies.getValueAtPercentile(99.9),
                latencies.getMaxValue());
    }

    static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
