package io.slipstream.core.ring;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

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
        return add(List.of(), (h, s) -> new FrameStage(ring, h, s), handlers);
    }

    /** Adds handlers that see every frame and control what happens next. */
    public Group handleControlledWith(ControlledFrameHandler... handlers) {
        return add(List.of(), (h, s) -> new ControlledFrameStage(ring, h, s), handlers);
    }

    /** Adds handlers that see every frame as part of a run of frames. */
    public Group handleBatchesWith(FrameBatchHandler... handlers) {
        return add(List.of(), (h, s) -> new FrameBatchStage(ring, h, s), handlers);
    }

    /** Adds handlers that share the frames: each frame goes to exactly one of them, as a batch of its own. */
    public Group shareFramesAmong(FrameHandler... handlers) {
        return share(List.of(), handlers);
    }

    /** Adds a stage of the caller's own making. */
    public Group handleFramesWith(Stage stage) {
        return custom(List.of(), stage);
    }

    /** Returns the group of handlers added before, to add others behind all of them. */
    public Group after(Object... handlers) {
        return new Group(Arrays.stream(handlers).map(this::stage).toList());
    }

    /** Sets what the stages that are added from now on do when their handler throws. */
    public FrameGraph defaultExceptionPolicy(ExceptionPolicy policy) {
        requireNotStarted("change the exception policy");
        defaultPolicy = policy;
        return this;
    }

    /**
     * Adds a handler while frames flow.
     *
     * @param name of its stage
     * @return the position from which on it sees every frame
     */
    public long join(String name, FrameHandler handler) {
        StageSettings settings = StageSettings.named(name).withExceptionPolicy(defaultPolicy);
        return join(handler, new FrameStage(ring, handler, settings));
    }

    @Override
    public FrameRing ring() {
        return ring;
    }

    @SafeVarargs
    private <H> Group add(List<Stage> behind, BiFunction<H, StageSettings, Stage> factory, H... handlers) {
        List<Stage> stages = new ArrayList<>();
        for (H handler : handlers) {
            Stage stage = factory.apply(handler, StageSettings.named(defaultName()).withExceptionPolicy(defaultPolicy));
            add(handler, stage, behind);
            stages.add(stage);
        }
        return new Group(stages);
    }

    private Group share(List<Stage> behind, FrameHandler... handlers) {
        return add(behind, new FrameShare(ring)::add, handlers);
    }

    private Group custom(List<Stage> behind, Stage stage) {
        addCustom(stage, behind);
        return new Group(List.of(stage));
    }

    /** Some handlers of a graph, behind all of which others may be added. */
    public final class Group {
        private final List<Stage> stages;

        Group(List<Stage> stages) {
            this.stages = List.copyOf(stages);
        }

        /** Adds handlers that see a frame when all of this group have passed it. */
        public Group then(FrameHandler... handlers) {
            return add(stages, (h, s) -> new FrameStage(ring, h, s), handlers);
        }

        /** The same as {@link #then}, as it reads better after {@link FrameGraph#after}. */
        public Group handleFramesWith(FrameHandler... handlers) {
            return then(handlers);
        }

        /** Adds handlers that control what happens next. */
        public Group thenControlled(ControlledFrameHandler... handlers) {
            return add(stages, (h, s) -> new ControlledFrameStage(ring, h, s), handlers);
        }

        /** Adds handlers that take runs of frames. */
        public Group thenBatches(FrameBatchHandler... handlers) {
            return add(stages, (h, s) -> new FrameBatchStage(ring, h, s), handlers);
        }

        /** Adds handlers that share the frames which all of this group have passed. */
        public Group thenShareAmong(FrameHandler... handlers) {
            return share(stages, handlers);
        }

        /** Adds a stage of the caller's own making. */
        public Group then(Stage stage) {
            return custom(stages, stage);
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
