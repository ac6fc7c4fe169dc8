package io.slipstream.cli.load;

import java.io.PrintWriter;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** Prints a load, a line for each second. */
public final class LoadTable implements Load.Reporter {
    private final PrintWriter out;

    /** Prints the head of the table. */
    public LoadTable(PrintWriter out) {
        this.out = out;
        out.println("   time   offered/s  answered/s      busy/s |    p50       p99     p99.9       max");
        out.flush();
    }

    @Override
    public void report(double seconds, Tally interval, Histogram latencies) {
        out.printf(
                Locale.ROOT,
                "%6.1fs %,11d %,11d %,11d | %s %s %s %s%n",
                seconds,
                interval.offered(),
                interval.answered(),
                interval.busy(),
                time(latencies, 50),
                time(latencies, 99),
                time(latencies, 99.9),
                time(latencies, 100));
        out.flush();
    }

    /** Returns a percentile as it is read by a person, in 9 columns. */
    public static String time(Histogram latencies, double percentile) {
        return latencies.getTotalCount() == 0
                ? "        -"
                : String.format(Locale.ROOT, "%9s", time(latencies.getValueAtPercentile(percentile)));
    }

    /** Returns a time as it is read by a person. */
    public static String time(long nanos) {
        return nanos < 10_000_000
                ? String.format(Locale.ROOT, "%,.0f us", nanos / 1e3)
                : String.format(Locale.ROOT, "%,.1f ms", nanos / 1e6);
    }
}
