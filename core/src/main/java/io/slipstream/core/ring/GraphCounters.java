package io.slipstream.core.ring;

import io.slipstream.core.counters.Counter;
import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.thread.Duty;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A duty that copies the state of a ring and its graph to counters now and then: capacity, depth, refused, dropped, and the
 * position and lag of each stage. It costs the hot path nothing.
 */
public final class GraphCounters implements Duty {
    private final Graph graph;
    private final Counters counters;
    private final String owner;
    private final long intervalNanos;
    private final Counter depth;
    private final Counter claimed;
    private final Counter refused;
    private final Counter dropped;
    private final Map<String, StageCounters> stages = new LinkedHashMap<>();
    private long nextNanos = System.nanoTime();

    /**
     * Adds the counters of {@code graph}.
     *
     * @param owner    the name under which they are shown
     * @param interval between two copies
     */
    public GraphCounters(Graph graph, Counters counters, String owner, Duration interval) {
        this.graph = graph;
        this.counters = counters;
        this.owner = owner;
        this.intervalNanos = interval.toNanos();
        counters.add(CounterType.CAPACITY, owner, "capacity").setRelease(graph.ring().capacity());
        this.depth = counters.add(CounterType.DEPTH, owner, "depth");
        this.claimed = counters.add(CounterType.POSITION, owner, "claimed");
        this.refused = counters.add(CounterType.REFUSED, owner, "refused");
        this.dropped = counters.add(CounterType.DROPPED, owner, "dropped");
        copy();
    }

    @Override
    public int work() {
        if (System.nanoTime() - nextNanos < 0) {
            return 0;
        }
        nextNanos = System.nanoTime() + intervalNanos;
        copy();
        return 1;
    }

    @Override
    public void onStop() {
        copy();
    }

    private void copy() {
        Ring ring = graph.ring();
        depth.setRelease(ring.depth());
        claimed.setRelease(ring.claimed());
        refused.setRelease(ring.refused());
        dropped.setRelease(ring.dropped());
        for (StageSnapshot stage : graph.snapshot()) {
            StageCounters its = stages.computeIfAbsent(stage.name(), name -> new StageCounters(
                    counters.add(CounterType.POSITION, owner, "position of " + name),
                    counters.add(CounterType.LAG, owner, "lag of " + name)));
            its.position.setRelease(stage.position());
            its.lag.setRelease(stage.lag());
        }
    }

    private record StageCounters(Counter position, Counter lag) {
    }
}
