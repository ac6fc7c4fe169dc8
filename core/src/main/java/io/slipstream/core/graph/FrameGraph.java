package io.slipstream.core.graph;

import io.slipstream.core.frame.FrameHandler;
import io.slipstream.core.handler.ControlledFrameHandler;
import io.slipstream.core.handler.ExceptionPolicy;
import io.slipstream.core.handler.FrameBatchHandler;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.sequence.SequenceBarrier;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;

/** Builds and runs the graph of handlers of a {@link FrameRing}, in the same words as {@link EventGraph}. */
public final class FrameGraph extends Graph {
    private final FrameRing ring;

    private FrameGraph(FrameRing ring) {
        super(ring);
        this.ring = ring;
    }

    /** Returns a new graph of handlers of {@code ring}. */
    public static FrameGraph of(FrameRing ring) {
        return new FrameGraph(Objects.requireNonNull(ring, "ring"));
    }

    /** Adds handlers that see every frame, each by itself. */
    public Group handleFramesWith(FrameHandler... handlers) {
        return group(List.of(), (h, s) -> new FrameStage(ring, h, s), handlers);
    }

    /** Adds handlers that see every frame and control what happens next. */
    public Group handleControlledWith(ControlledFrameHandler... handlers) {
        return group(List.of(), (h, s) -> new ControlledFrameStage(ring, h, s), handlers);
    }

    /** Adds handlers that see every frame as part of a run of frames. */
    public Group handleBatchesWith(FrameBatchHandler... handlers) {
        return group(List.of(), (h, s) -> new FrameBatchStage(ring, h, s), handlers);
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
        return new Group(stages(handlers));
    }

    /**
     * Sets what stages do when their handler throws, unless it was or is set for one alone, by
     * {@link HandlerSettings#onException} or the {@link StageSettings} that it came with; before the start.
     */
    public FrameGraph defaultExceptionPolicy(ExceptionPolicy policy) {
        setDefaultPolicy(policy);
        return this;
    }

    /**
     * Adds a handler while frames flow, behind the publishers alone; {@link Group#join(String, FrameHandler)} adds one
     * behind other handlers.
     *
     * @param name of its stage
     * @return the position from which on it sees every frame
     */
    public long join(String name, FrameHandler handler) {
        return publishers().join(name, handler);
    }

    /** As {@link #join(String, FrameHandler)}, with settings of its own. */
    public long join(StageSettings settings, FrameHandler handler) {
        return publishers().join(settings, handler);
    }

    /** As {@link #join(String, FrameHandler)}, of a handler that controls what happens next. */
    public long joinControlled(StageSettings settings, ControlledFrameHandler handler) {
        return publishers().joinControlled(settings, handler);
    }

    /** As {@link #join(String, FrameHandler)}, of a handler that takes runs of frames. */
    public long joinBatches(StageSettings settings, FrameBatchHandler handler) {
        return publishers().joinBatches(settings, handler);
    }

    /**
     * As {@link #join(String, FrameHandler)}, of a stage of the caller's own making; {@link #leave} is then given the
     * stage.
     */
    public long join(Stage stage) {
        return publishers().join(stage);
    }

    private Group publishers() {
        return new Group(List.of());
    }

    @Override
    public FrameRing ring() {
        return ring;
    }

    private <H> Group group(List<Stage> behind, BiFunction<H, StageSettings, Stage> factory, H[] handlers) {
        return new Group(add(behind, factory, handlers));
    }

    private Group share(List<Stage> behind, FrameHandler[] handlers) {
        return group(behind, new WorkShare.OfFrames(ring)::add, handlers);
    }

    private Group custom(List<Stage> behind, Stage stage) {
        return new Group(addCustom(behind, stage));
    }

    /** Some handlers of a graph, behind all of which others may be added. */
    public final class Group {
        private final List<Stage> stages;

        Group(List<Stage> stages) {
            this.stages = List.copyOf(stages);
        }

        /** Adds handlers that see a frame when all of this group have passed it. */
        public Group then(FrameHandler... handlers) {
            return group(stages, (h, s) -> new FrameStage(ring, h, s), handlers);
        }

        /** The same as {@link #then}, as it reads better after {@link FrameGraph#after}. */
        public Group handleFramesWith(FrameHandler... handlers) {
            return then(handlers);
        }

        /** Adds handlers that control what happens next. */
        public Group thenControlled(ControlledFrameHandler... handlers) {
            return group(stages, (h, s) -> new ControlledFrameStage(ring, h, s), handlers);
        }

        /** Adds handlers that take runs of frames. */
        public Group thenBatches(FrameBatchHandler... handlers) {
            return group(stages, (h, s) -> new FrameBatchStage(ring, h, s), handlers);
        }

        /** Adds handlers that share the frames which all of this group have passed. */
        public Group thenShareAmong(FrameHandler... handlers) {
            return share(stages, handlers);
        }

        /** Adds a stage of the caller's own making. */
        public Group then(Stage stage) {
            return custom(stages, stage);
        }

        /**
         * Adds a handler behind all of this group while frames flow; {@link Graph#leave} ends it.
         *
         * @param name of its stage
         * @return the position from which on it sees every frame when all of this group have passed it: where the
         *         slowest of them is
         * @throws IllegalStateException    if the graph has not been started or has ended
         * @throws IllegalArgumentException if one of this group has left
         */
        public long join(String name, FrameHandler handler) {
            return join(newSettings().withName(name), handler);
        }

        /** As {@link #join(String, FrameHandler)}, with settings of its own. */
        public long join(StageSettings settings, FrameHandler handler) {
            return FrameGraph.this.join(stages, (h, s) -> new FrameStage(ring, h, s), handler, settings);
        }

        /** As {@link #join(String, FrameHandler)}, of a handler that controls what happens next. */
        public long joinControlled(StageSettings settings, ControlledFrameHandler handler) {
            return FrameGraph.this.join(stages, (h, s) -> new ControlledFrameStage(ring, h, s), handler, settings);
        }

        /** As {@link #join(String, FrameHandler)}, of a handler that takes runs of frames. */
        public long joinBatches(StageSettings settings, FrameBatchHandler handler) {
            return FrameGraph.this.join(stages, (h, s) -> new FrameBatchStage(ring, h, s), handler, settings);
        }

        /**
         * As {@link #join(String, FrameHandler)}, of a stage of the caller's own making; {@link Graph#leave} is then
         * given the stage.
         */
        public long join(Stage stage) {
            return FrameGraph.this.joinCustom(stages, stage);
        }

        /**
         * Returns this group and {@code other} as one.
         *
         * @throws IllegalArgumentException if they are of different graphs
         */
        public Group and(Group other) {
            return new Group(union(stages, other.graph(), other.stages));
        }

        private FrameGraph graph() {
            return FrameGraph.this;
        }

        /**
         * Returns a barrier behind all of this group, as for a
         * {@linkplain FrameRing#newPoller(SequenceBarrier) poller}.
         */
        public SequenceBarrier asSequenceBarrier() {
            return barrierBehind(stages);
        }
    }
}
