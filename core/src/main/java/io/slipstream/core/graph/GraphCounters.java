package io.slipstream.core.graph;

import io.slipstream.core.counters.Counter;
import io.slipstream.core.counters.CounterGroup;
import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.ring.Ring;
import io.slipstream.core.ring.RingCounters;
import io.slipstream.core.thread.SampledCounters;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.ObjLongConsumer;

/**
 * Shows the state of a ring and its graph: capacity, depth, refused, dropped, and the position and lag of each stage. A
 * stage that leaves gives its places back. One that joins when all places of the counters are taken is not shown as
 * long as they are, which is logged as a warning.
 */
public final class GraphCounters extends SampledCounters<Graph> {
    private static final System.Logger LOG = System.getLogger(GraphCounters.class.getName());

    private final Ring ring;
    private final Counters counters;
    private final String owner;
    private final RingCounters ofRing;
    private final Map<Stage, OfStage> shown = new HashMap<>();
    private final Set<String> toldOf = new HashSet<>();
    /* Made once, as copies allocate nothing while no stage joins or leaves. */
    private final ObjLongConsumer<Stage> copyShown = this::copyShown;
    private final ObjLongConsumer<Stage> showJoined = this::showJoined;
    private long copies;
    private int present;
    private boolean joined;

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
        this.ring = graph.ring();
        this.counters = counters;
        this.owner = owner;
        ofRing = new RingCounters(graph.ring(), counters, owner, interval);
        try {
            graph.forEachStage((stage, position) -> shown.put(stage, new OfStage(stage.name())));
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
        copies++;
        present = 0;
        joined = false;
        graph.forEachStage(copyShown);
        if (present < shown.size()) {
            forgetThoseThatLeft();
        }
        if (joined) {
            graph.forEachStage(showJoined);
        }
    }

    private void copyShown(Stage stage, long position) {
        OfStage its = shown.get(stage);
        if (its == null) {
            joined = true;
        } else {
            its.set(position);
            present++;
        }
    }

    private void forgetThoseThatLeft() {
        toldOf.clear();
        shown.values().removeIf(its -> {
            boolean hasLeft = its.copy != copies;
            if (hasLeft) {
                its.free();
            }
            return hasLeft;
        });
    }

    /** Adds the counters of a stage that has joined, if there is room. */
    private void showJoined(Stage stage, long position) {
        if (!shown.containsKey(stage)) {
            try {
                OfStage its = new OfStage(stage.name());
                shown.put(stage, its);
                its.set(position);
            } catch (IllegalStateException | IllegalArgumentException e) {
                if (toldOf.add(stage.name())) {
                    LOG.log(
                            System.Logger.Level.WARNING,
                            "Stage {0} is not shown by the counters: {1}",
                            stage.name(),
                            e.getMessage());
                }
            }
        }
    }

    private final class OfStage {
        private final CounterGroup group = new CounterGroup(counters, owner);
        private final Counter position;
        private final Counter lag;
        /* The number of the last copy in which the stage was there. */
        private long copy;

        OfStage(String name) {
            position = group.add(CounterType.POSITION, "position of " + name);
            lag = group.add(CounterType.LAG, "lag of " + name);
        }

        void set(long newPosition) {
            copy = copies;
            long claimed = ring.claimed();
            long passed = Math.min(newPosition, claimed);
            position.setRelease(passed);
            lag.setRelease(claimed - passed);
        }

        void free() {
            group.free();
        }
    }
}
