package io.slipstream.core.ring;

import io.slipstream.core.counters.Counter;
import io.slipstream.core.counters.CounterGroup;
import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.thread.SampledCounters;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Shows the state of a ring and its graph: capacity, depth, refused, dropped, and the position and lag of each stage. A stage
 * that leaves gives its places back. One that joins when all places of the counters are taken is not shown as long as they are, which is logged as a
 * warning.
 */
public final class GraphCounters extends SampledCounters<Graph> {
    private static final System.Logger LOG = System.getLogger(GraphCounters.class.getName());

    private final Counters counters;
    private final String owner;
    private final RingCounters ofRing;
    private final Map<String, OfStage> shown = new HashMap<>();
    private final Set<String> toldOf = new HashSet<>();

    /**
     * Adds the counters of {@code graph}: five, and two for each stage.
     *
     * @param owner    the name under which they are shown
     * @param interval between two copies
     * @throws IllegalStateException    if there are not enough places for them; none is taken then
     * @throws IllegalArgumentException if a name is too long for a counter
     */
    public GraphCounters(Graph graph, Counters counters, String owner, Duration interval) {
        super(() -> graph, counters, owner, interval);
        this.counters = counters;
        this.owner = owner;
        ofRing = new RingCounters(graph.ring(), counters, owner, interval);
        try {
            for (StageSnapshot stage : graph.snapshot()) {
                shown.put(stage.name(), new OfStage(stage.name()));
            }
            copy();
        } catch (IllegalStateException | IllegalArgumentException e) {
            shown.values().forEach(OfStage::free);
            ofRing.free();
            throw e;
        }
    }

    @Override
    protected void prepare(Graph graph) {
        ofRing.copy();
        List<StageSnapshot> stages = graph.snapshot();
        forgetAllBut(stages.stream().map(StageSnapshot::name).collect(Collectors.toSet()));
        for (StageSnapshot stage : stages) {
            OfStage its = find(stage.name());
            if (its != null) {
                its.set(stage);
            }
        }
    }

    private void forgetAllBut(Set<String> names) {
        toldOf.retainAll(names);
        shown.entrySet().removeIf(entry -> {
            boolean hasLeft = !names.contains(entry.getKey());
            if (hasLeft) {
                entry.getValue().free();
            }
            return hasLeft;
        });
    }

    /** Returns the counters of a stage, which it gets now if it has joined, or null if there is no room. */
    private @Nullable OfStage find(String name) {
        OfStage its = shown.get(name);
        if (its != null) {
            return its;
        }
        try {
            its = new OfStage(name);
            shown.put(name, its);
            return its;
        } catch (IllegalStateException | IllegalArgumentException e) {
            if (toldOf.add(name)) {
                LOG.log(System.Logger.Level.WARNING, "Stage {0} is not shown by the counters: {1}", name, e.getMessage());
            }
            return null;
        }
    }

    private final class OfStage {
        private final CounterGroup group = new CounterGroup(counters, owner);
        private final Counter position;
        private final Counter lag;

        OfStage(String name) {
            position = group.add(CounterType.POSITION, "position of " + name);
            lag = group.add(CounterType.LAG, "lag of " + name);
        }

        void set(StageSnapshot stage) {
            position.setRelease(stage.position());
            lag.setRelease(stage.lag());
        }

        void free() {
            group.free();
        }
    }
}
