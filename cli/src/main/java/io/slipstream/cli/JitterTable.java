package io.slipstream.cli;

import io.slipstream.core.affinity.JitterSample;
import java.util.List;
import java.util.Locale;

/** Samples of jitter as text: a summary of each CPU, and a histogram of the gaps with a column for each CPU. */
final class JitterTable {
    private static final int BAR = 24;

    private final List<JitterSample> samples;
    private final StringBuilder out = new StringBuilder();

    JitterTable(List<JitterSample> samples) {
        this.samples = samples;
    }

    String draw() {
        line("");
        line("%-8s %10s %12s %12s   %s", "CPU", "gaps/s", "time away", "longest", "");
        for (JitterSample sample : samples) {
            line(
                    "%-8s %10.1f %10.4f %% %12s   %s",
                    sample.cpu(),
                    sample.gapsPerSecond(),
                    100 * sample.partAway(),
                    time(sample.longestNanos()),
                    sample.pinned() ? "" : "not pinned: the thread may have wandered");
        }
        histogram();
        return out.toString();
    }

    private void histogram() {
        int first = Integer.MAX_VALUE;
        int last = -1;
        long most = 1;
        long threshold = Long.MAX_VALUE;
        for (JitterSample sample : samples) {
            threshold = Math.min(threshold, sample.thresholdNanos());
            long[] counts = sample.counts();
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] > 0) {
                    first = Math.min(first, i);
                    last = Math.max(last, i);
                    most = Math.max(most, counts[i]);
                }
            }
        }
        line("");
        if (last < 0) {
            line("no gap was long enough to count");
            return;
        }
        StringBuilder header = new StringBuilder(String.format(Locale.ROOT, "%-20s", "gap"));
        samples.forEach(
                sample -> header.append(String.format(Locale.ROOT, " %-" + (BAR + 9) + "s", "CPU " + sample.cpu())));
        line("%s", header.toString().stripTrailing());
        for (int i = first; i <= last; i++) {
            StringBuilder row = new StringBuilder(
                    String.format(Locale.ROOT, "%8s - %-9s", edge(Math.max(threshold, 1L << i)), edge(1L << i + 1)));
            for (JitterSample sample : samples) {
                long count = sample.counts()[i];
                row.append(String.format(Locale.ROOT, " %8d %-" + BAR + "s", count, bar(count, most)));
            }
            line("%s", row.toString().stripTrailing());
        }
    }

    /** The length grows with the logarithm, so that one long gap can be seen beside thousands of short ones. */
    private static String bar(long count, long most) {
        return count == 0 ? "" : "#".repeat(1 + (int) ((BAR - 1) * Math.log(count) / Math.max(1, Math.log(most))));
    }

    /**
     * Three digits, so that the first row, which begins with the shortest gap that counts, does not seem to be empty.
     */
    private static String edge(long nanos) {
        if (nanos < 1_000) {
            return nanos + " ns";
        }
        double value = nanos < 1_000_000 ? nanos / 1e3 : nanos / 1e6;
        int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
        return String.format(Locale.ROOT, "%." + decimals + "f %s", value, nanos < 1_000_000 ? "us" : "ms");
    }

    private static String time(long nanos) {
        return nanos < 1_000
                ? nanos + " ns"
                : nanos < 1_000_000
                        ? String.format(Locale.ROOT, "%.1f us", nanos / 1e3)
                        : String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }

    private void line(String format, Object... arguments) {
        out.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }
}
