package io.slipstream.http.monitor;

import io.slipstream.core.counters.CounterValue;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How long the commits of the service's log took, as a histogram of Prometheus, by counters of how many took what. */
final class CommitHistogram {
    private static final String NAME = "slipstream_commit_seconds";
    private static final String OWNER = "commit times";
    private static final Pattern BOUND = Pattern.compile("up to (\\d+) µs");
    private static final double SECOND_MICROS = 1e6;
    private static final double SECOND_NANOS = 1e9;

    private CommitHistogram() {}

    /** Returns whether a counter is one of its groups. */
    static boolean has(CounterValue counter) {
        return counter.owner().equals(OWNER);
    }

    /** Appends the histogram, if the counters have one. */
    static void appendTo(StringBuilder text, List<CounterValue> counters) {
        List<CounterValue> groups = new ArrayList<>();
        long nanos = 0;
        for (CounterValue each : counters) {
            if (has(each)) {
                groups.add(each);
            } else if (each.owner().equals("log") && each.label().equals("time in commits")) {
                nanos = each.value();
            }
        }
        if (!groups.isEmpty()) {
            append(text, groups, nanos);
        }
    }

    private static void append(StringBuilder text, List<CounterValue> groups, long nanos) {
        text.append("# HELP ")
                .append(NAME)
                .append(" Time to write a batch of the log and, at the level SYNC, to force it.\n# TYPE ")
                .append(NAME)
                .append(" histogram\n");
        long count = 0;
        for (CounterValue each : groups) {
            count += each.value();
            Matcher bound = BOUND.matcher(each.label());
            sample(
                    text,
                    "_bucket{le=\""
                            + (bound.matches() ? Long.parseLong(bound.group(1)) / SECOND_MICROS : "+Inf")
                            + "\"}",
                    count);
        }
        sample(text, "_sum", nanos / SECOND_NANOS);
        sample(text, "_count", count);
    }

    private static void sample(StringBuilder text, String what, Number value) {
        text.append(NAME).append(what).append(' ').append(value).append('\n');
    }
}
