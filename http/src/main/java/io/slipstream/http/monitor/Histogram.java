package io.slipstream.http.monitor;

import java.util.concurrent.atomic.LongAdder;

/** Durations in buckets that double from 50 µs to 13 s, as Prometheus wants them. Any thread. */
final class Histogram {
    private static final int BUCKETS = 19;
    private static final long FIRST_NANOS = 50_000;
    private static final double SECOND_NANOS = 1e9;

    private final LongAdder[] buckets = new LongAdder[BUCKETS + 1];
    private final LongAdder sumNanos = new LongAdder();

    Histogram() {
        for (int i = 0; i <= BUCKETS; i++) {
            buckets[i] = new LongAdder();
        }
    }

    void add(long nanos) {
        int bucket = 0;
        while (bucket < BUCKETS && nanos > FIRST_NANOS << bucket) {
            bucket++;
        }
        buckets[bucket].increment();
        sumNanos.add(nanos);
    }

    /** Appends its samples under a name, with labels such as {@code kind="command",}. */
    void appendTo(StringBuilder text, String name, String labels) {
        long count = 0;
        for (int i = 0; i <= BUCKETS; i++) {
            count += buckets[i].sum();
            text.append(name)
                    .append("_bucket{")
                    .append(labels)
                    .append("le=\"")
                    .append(i == BUCKETS ? "+Inf" : String.valueOf((FIRST_NANOS << i) / SECOND_NANOS))
                    .append("\"} ")
                    .append(count)
                    .append('\n');
        }
        String all = labels.isEmpty() ? " " : "{" + labels.substring(0, labels.length() - 1) + "} ";
        text.append(name)
                .append("_sum")
                .append(all)
                .append(sumNanos.sum() / SECOND_NANOS)
                .append('\n');
        text.append(name).append("_count").append(all).append(count).append('\n');
    }
}
