package io.slipstream.http.monitor;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.slipstream.core.counters.CounterValue;
import io.slipstream.service.log.CommitTimes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How long the commits of the service's log took, as a histogram, by the counters that a service makes of it. */
final class CommitHistogram {
    private CommitHistogram() {}

    /** Returns whether a counter is one of its groups. */
    static boolean has(CounterValue counter) {
        return counter.owner().equals(CommitTimes.OWNER);
    }

    /** Returns the histogram, or null if the counters have not all of its groups, as those of another version may. */
    static @Nullable HistogramSnapshot of(List<CounterValue> counters) {
        Map<String, Long> groups = new HashMap<>();
        long nanos = 0;
        for (CounterValue each : counters) {
            if (has(each)) {
                groups.put(each.label(), each.value());
            } else if (each.owner().equals(CommitTimes.SUM_OWNER)
                    && each.label().equals(CommitTimes.SUM_LABEL)) {
                nanos = each.value();
            }
        }
        ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
        for (int i = 0; i < CommitTimes.groups(); i++) {
            Long count = groups.get(CommitTimes.label(i));
            if (count == null) {
                return null;
            }
            long bound = CommitTimes.boundNanos(i);
            buckets.bucket(bound == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : bound / Metrics.SECOND_NANOS, count);
        }
        return HistogramSnapshot.builder()
                .name(Metrics.named("commit_seconds"))
                .help("Time to write a batch of the log and, at the level SYNC, to force it.")
                .dataPoint(HistogramSnapshot.HistogramDataPointSnapshot.builder()
                        .classicHistogramBuckets(buckets.build())
                        .sum(nanos / Metrics.SECOND_NANOS)
                        .build())
                .build();
    }
}
