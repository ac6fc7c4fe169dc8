package io.slipstream.core.ring;

import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.thread.SampledCounters;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Shows the state of a ring and its graph: capacity, depth, refused, dropped, and the position and lag of each stage. A stage
 * that joins when all places of the counters are taken is not shown, which is logged as a warning.
 */
public final class GraphCounters extends SampledCounters<Graph> {
    private static final System.Logger LOG = System.getLogger(GraphCounters.class.getName());

    /** What was last seen of each stage, also of those that have left. */
    private final Map<String, StageSnapshot> stages = new LinkedHashMap<>();

    /**
     * Adds the counters of {@code graph}: five, and two for each stage.
     *
     * @param owner    the name under which they are shown
     * @param interval between two copies
     * @throws IllegalStateException    if there are not enough places for them
     * @throws IllegalArgumentException if a name is too long for a counter
     */
    public GraphCounters(Graph graph, Counters counters, String owner, Duration interval) {
        super(() -> graph, counters, owner, interval);
        add(CounterType.CAPACITY, "capacity", g -> g.ring().capacity());
        add(CounterType.DEPTH, "depth", g -> g.ring().depth());
        add(CounterType.POSITION, "claimed", g -> g.ring().claimed());
        add(CounterType.REFUSED, "refused", g -> g.ring().refused());
        add(CounterType.DROPPED, "dropped", g -> g.ring().dropped());
        graph.snapshot().forEach(this::addStage);
        copy();
    }

    private void addStage(StageSnapshot stage) {
        if (stages.put(stage.name(), stage) == null) {
            add(CounterType.POSITION, "position of " + stage.name(), lastSeen(stage, StageSnapshot::position));
            add(CounterType.LAG, "lag of " + stage.name(), lastSeen(stage, StageSnapshot::lag));
        }
    }

    private ToLongFunction<Graph> lastSeen(StageSnapshot stage, ToLongFunction<StageSnapshot> value) {
        return graph -> value.applyAsLong(stages.getOrDefault(stage.name(), stage));
    }

    @Override
    protected void prepare(Graph graph) {
        for (StageSnapshot stage : graph.snapshot()) {
            try {
                addStage(stage);
            } catch (IllegalStateException | IllegalArgumentException e) {
                LOG.log(System.Logger.Level.WARNING, "Stage {0} is not shown by the counters: {1}", stage.name(), e.getMessage());
            }
        }
    }
}
