package io.slipstream.replica.primary;

import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.thread.SampledCounters;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Shows a push to other processes; for the thread that pushes. */
final class PushCounters {
    static final int PLACES = 7;

    private static final Duration INTERVAL = Duration.ofMillis(200);

    private final @Nullable SampledCounters<JournalPush> samples;

    PushCounters(@Nullable Counters counters, JournalPush push, long alertRecords) {
        samples = counters == null
                ? null
                : new SampledCounters<>(() -> push, counters, "backup site", INTERVAL)
                        .add(CounterType.CAPACITY, "records behind that raise the alert", _ -> alertRecords)
                        .add(CounterType.LAG, "records the backup has not acknowledged", JournalPush::lag)
                        .add(CounterType.POSITION, "acknowledged record", JournalPush::acknowledgedSequence)
                        .add(CounterType.LEVEL, "connected", its -> its.isConnected() ? 1 : 0)
                        .add(CounterType.COUNT, "connections", JournalPush::connections)
                        .add(CounterType.COUNT, "bytes sent", JournalPush::bytesSent)
                        .add(CounterType.COUNT, "alerts", JournalPush::alerts);
    }

    void work() {
        if (samples != null) {
            samples.work();
        }
    }

    void stop() {
        if (samples != null) {
            samples.onStop();
        }
    }
}
