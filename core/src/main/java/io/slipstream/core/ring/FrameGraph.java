package io.slipstream.core.ring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Builds and runs the graph of handlers of a {@link FrameRing}, in the same words as {@link EventGraph}. */
public final class FrameGraph extends Graph {
    private final FrameRing ring;
    private ExceptionPolicy defaultPolicy = ExceptionPolicy.stop();

    FrameGraph(FrameRing ring) {
        super(ring);
        this.ring = ring;
    }

    /** Adds handlers that see every frame, each by itself. */
    public Group handleFramesWith(FrameHandler... handlers) {
        return add(List.of(), handlers);
    }

    /** Returns the group of handlers added before, to add others behind all of them. */
    public Group after(FrameHandler... handlers) {
        return new Group(Arrays.stream(handlers).map(this::stage).toList());
    }

    /** Sets what the stages that are added from now on do when their handler throws. */
    public FrameGraph defaultExceptionPolicy(ExceptionPolicy policy) {
        requireNotStarted("change the exception policy");
        defaultPolicy = policy;
        return this;
    }

    /** Names the stage of {@code handler}, its thread and its counters. */
    public FrameGraph name(FrameHandler handler, String name) {
        change(handler, s -> s.withName(name));
        return this;
    }

    /** Limits the batches of {@code handler} to {@code bytes}, or one frame if that is larger. */
    public FrameGraph maxBatch(FrameHandler handler, int bytes) {
        change(handler, s -> s.withMaxBatch(bytes));
        return this;
    }

    /** Has the handler told whenever nothing has come for {@code timeout}. */
    public FrameGraph timeout(FrameHandler handler, Duration timeout) {
        change(handler, s -> s.withTimeout(timeout));
        return this;
    }

    /** Sets what happens when {@code handler} throws. */
    public FrameGraph onException(FrameHandler handler, ExceptionPolicy policy) {
        change(handler, s -> s.withExceptionPolicy(policy));
        return this;
    }

    /** Adds a handler while frames flow; returns the position from which on it sees every frame. */
    public long join(String name, FrameHandler handler) {
        StageSettings settings = StageSettings.named(name).withExceptionPolicy(defaultPolicy);
        return join(handler, new FrameStage(ring, handler, settings));
    }

    @Override
    public FrameRing ring() {
        return ring;
    }

    private Group add(List<Stage> behind, FrameHandler... handlers) {
        List<Stage> stages = new ArrayList<>();
        for (FrameHandler handler : handlers) {
            StageSettings settings = StageSettings.named(defaultName()).withExceptionPolicy(defaultPolicy);
            Stage stage = new FrameStage(ring, handler, settings);
            add(handler, stage, behind);
            stages.add(stage);
        }
        return new Group(stages);
    }

    /** Some handlers of a graph, behind all of which others may be added. */
    public final class Group {
        private final List<Stage> stages;

        Group(List<Stage> stages) {
            this.stages = List.copyOf(stages);
        }

        /** Adds handlers that see a frame when all of this group have passed it. */
        public Group then(FrameHandler... handlers) {
            return add(stages, handlers);
        }

        /** The same as {@link #then}, as it reads better after {@link FrameGraph#after}. */
        public Group handleFramesWith(FrameHandler... handlers) {
            return then(handlers);
        }

        /** Returns this group and {@code other} as one. */
        public Group and(Group other) {
            Set<Stage> all = new LinkedHashSet<>(stages);
            all.addAll(other.stages);
            return new Group(List.copyOf(all));
        }

        /** Returns a barrier behind all of this group, for a consumer outside the graph, which must be made gating. */
        public SequenceBarrier asSequenceBarrier() {
            return ring.newBarrier(stages.stream().flatMap(s -> s.sequences().stream()).toArray(Sequence[]::new));
        }
    }
}
