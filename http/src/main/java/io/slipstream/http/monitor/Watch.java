package io.slipstream.http.monitor;

import io.slipstream.core.counters.CounterValue;
import io.slipstream.core.counters.CountersReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the counters of a service's process. A file that cannot be read is tried again; until then there are none. */
final class Watch implements AutoCloseable {
    private final @Nullable Path file;
    private @Nullable CountersReader reader;
    private boolean closed;

    Watch(@Nullable Path file) {
        this.file = file;
    }

    /** Returns the counters as they are now; none if there is no file. */
    synchronized List<CounterValue> read() {
        if (file == null || closed) {
            return List.of();
        }
        try {
            CountersReader current = reader;
            if (current == null) {
                current = CountersReader.open(file);
                reader = current;
            }
            return current.read();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Appends them as metrics, of which each has the owner and the label of its counter. */
    void appendTo(StringBuilder text) {
        List<CounterValue> counters = read();
        append(
                text,
                counters,
                "count_total",
                "counter",
                "Counts, and times in nanoseconds, since the service started.",
                true);
        CommitHistogram.appendTo(text, counters);
        append(text, counters, "level", "gauge", "Depths, lags, capacities, positions and durations.", false);
    }

    private static void append(
            StringBuilder text, List<CounterValue> counters, String name, String type, String help, boolean counts) {
        String prefix = "# HELP slipstream_" + name + " " + help + "\n# TYPE slipstream_" + name + " " + type + "\n";
        for (CounterValue each : counters) {
            if (isCount(each) == counts && !CommitHistogram.has(each)) {
                text.append(prefix)
                        .append("slipstream_")
                        .append(name)
                        .append("{owner=\"")
                        .append(escape(each.owner()))
                        .append("\",label=\"")
                        .append(escape(each.label()))
                        .append("\"} ")
                        .append(each.value())
                        .append('\n');
                prefix = "";
            }
        }
    }

    /** A duration that only grows is called the time in something; others are the longest, or the last. */
    private static boolean isCount(CounterValue counter) {
        return switch (counter.type()) {
            case COUNT, REFUSED, DROPPED -> true;
            case DURATION_NANOS -> counter.label().startsWith("time in ");
            default -> false;
        };
    }

    private static String escape(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (reader != null) {
            reader.close();
            reader = null;
        }
    }
}
