package io.slipstream.cluster.engine;

import io.aeron.cluster.service.ClusterClock;
import io.slipstream.service.host.Host;
import java.util.concurrent.TimeUnit;

/** The member's own time, for entries of the log and for all timeouts of its consensus module. */
record LogClock(Host host) implements ClusterClock {
    @Override
    public TimeUnit timeUnit() {
        return TimeUnit.NANOSECONDS;
    }

    @Override
    public long time() {
        return host.epochNanos();
    }
}
