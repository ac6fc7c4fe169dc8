package io.slipstream.replica.backup;

import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.thread.SampledCounters;
import io.slipstream.replica.site.Role;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Shows a backup site to other processes; for the thread that listens. */
final class SiteCounters {
    static final int PLACES = 6;
    static final int INTERVAL_MILLIS = 200;

    private final @Nullable SampledCounters<SiteReport> samples;

    SiteCounters(@Nullable Counters counters, BackupSite site) {
        samples = counters == null
                ? null
                : new SampledCounters<>(site::report, counters, "backup site", Duration.ofMillis(INTERVAL_MILLIS))
                        .add(CounterType.POSITION, "received record", SiteReport::received)
                        .add(CounterType.LAG, "records behind the primary", SiteReport::lag)
                        .add(CounterType.POSITION, "applied record", SiteReport::applied)
                        .add(CounterType.LEVEL, "primary is connected", report -> report.connected() ? 1 : 0)
                        .add(CounterType.LEVEL, "promoted", report -> report.role() == Role.PROMOTED ? 1 : 0)
                        .add(CounterType.LEVEL, "term", SiteReport::term);
    }

    void work() {
        if (samples != null) {
            samples.work();
        }
    }
}
