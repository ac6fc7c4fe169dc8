package io.slipstream.core.graph;

import io.slipstream.core.handler.BatchHandler;
import io.slipstream.core.handler.ControlledEventHandler;
import io.slipstream.core.handler.EventHandler;
import io.slipstream.core.handler.ExceptionPolicy;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.sequence.SequenceBarrier;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;

/**
 * Builds and runs the graph of handlers of a {@link RingBuffer}.
 *
 * <pre>{@code
 * graph.handleEventsWith(journal, replicate).then(logic);     //  journal ──┐
 * graph.after(logic).handleEventsWith(reply);                 //  replicate ┴▶ logic ─▶ reply
 * graph.settings(journal).name("journal").maxBatch(256);
 * graph.start(WaitStrategy.parking());
 * }</pre>
 *
 * @param <E> type of the events
 */
@SuppressWarnings("varargs")
public final class EventGraph<E> extends Graph {
    private final RingBuffer<E> ring;

    private EventGraph(RingBuffer<E> ring) {
        super(ring);
        this.ring = ring;
    }

    /** Returns a new graph of handlers of {@code ring}. */
    public static <E> EventGraph<E> of(RingBuffer<E> ring) {
        return new EventGraph<>(Objects.requireNonNull(ring, "ring"));
    }

    /** Adds handlers that see every event, each by itself. */
    @SafeVarargs
    public final Group<E> handleEventsWith(EventHandler<? super E>... handlers) {
        return group(List.of(), (h, s) -> new EventStage<E>(ring, h, s), handlers);
    }

    /** Adds handlers that see every event and control what happens next. */
    @SafeVarargs
    public final Group<E> handleControlledWith(ControlledEventHandler<? super E>... handlers) {
        return group(List.of(), (h, s) -> new ControlledStage<E>(ring, h, s), handlers);
    }

    /** Adds handlers that see every event as part of a range. */
    @SafeVarargs
    public final Group<E> handleBatchesWith(BatchHandler<E>... handlers) {
        return group(List.of(), (h, s) -> new BatchStage<E>(ring, h, s), handlers);
    }

    /** Adds handlers that share the events: each event goes to exactly one of them, as a batch of its own. */
    @SafeVarargs
    public final Group<E> shareEventsAmong(EventHandler<? super E>... handlers) {
        return share(List.of(), handlers);
    }

    /** Adds a stage of the caller's own making. */
    public Group<E> handleEventsWith(Stage stage) {
        return custom(List.of(), stage);
    }

    /** Returns the group of handlers added before, to add others behind all of them. */
    public Group<E> after(Object... handlers) {
        return new Group<>(this, stages(handlers));
    }

    /**
     * Sets what stages do when their handler throws, unless it was or is set for one alone, by
     * {@link HandlerSettings#onException} or the {@link StageSettings} that it came with; before the start.
     */
    public EventGraph<E> defaultExceptionPolicy(ExceptionPolicy policy) {
        setDefaultPolicy(policy);
        return this;
    }

    /**
     * Adds a handler while events flow, behind the publishers alone; {@link Group#join(String, EventHandler)} adds one
     * behind other handlers.
     *
     * @param name of its stage
     * @return the position from which on it sees every event
     */
    public long join(String name, EventHandler<? super E> handler) {
        return publishers().join(name, handler);
    }

    /** As {@link #join(String, EventHandler)}, with settings of its own. */
    public long join(StageSettings settings, EventHandler<? super E> handler) {
        return publishers().join(settings, handler);
    }

    /** As {@link #join(String, EventHandler)}, of a handler that controls what happens next. */
    public long joinControlled(StageSettings settings, ControlledEventHandler<? super E> handler) {
        return publishers().joinControlled(settings, handler);
    }

    /** As {@link #join(String, EventHandler)}, of a handler that takes ranges of events. */
    public long joinBatches(StageSettings settings, BatchHandler<E> handler) {
        return publishers().joinBatches(settings, handler);
    }

    /**
     * As {@link #join(String, EventHandler)}, of a stage of the caller's own making; {@link #leave} is then given the
     * stage.
     */
    public long join(Stage stage) {
        return publishers().join(stage);
    }

    private Group<E> publishers() {
        return new Group<>(this, List.of());
    }

    @Override
    public RingBuffer<E> ring() {
        return ring;
    }

    private <H> Group<E> group(List<Stage> behind, BiFunction<H, StageSettings, Stage> factory, H[] handlers) {
        return new Group<>(this, add(behind, factory, handlers));
    }

    private Group<E> share(List<Stage> behind, EventHandler<? super E>[] handlers) {
        WorkShare.OfEvents<E> share = new WorkShare.OfEvents<>(ring);
        return group(behind, (h, s) -> share.add(h, s), handlers);
    }

    private Group<E> custom(List<Stage> behind, Stage stage) {
        return new Group<>(this, addCustom(behind, stage));
    }

    /**
     * Some handlers of a graph, behind all of which others may be added.
     *
     * @param <E> type of the events
     */
    @SuppressWarnings("varargs")
    public static final class Group<E> {
        private final EventGraph<E> graph;
        private final List<Stage> stages;

        Group(EventGraph<E> graph, List<Stage> stages) {
            this.graph = graph;
            this.stages = List.copyOf(stages);
        }

        /** Adds handlers that see an event when all of this group have passed it. */
        @SafeVarargs
        public final Group<E> then(EventHandler<? super E>... handlers) {
            return graph.group(stages, (h, s) -> new EventStage<E>(graph.ring, h, s), handlers);
        }

        /** The same as {@link #then}, as it reads better after {@link EventGraph#after}. */
        @SafeVarargs
        public final Group<E> handleEventsWith(EventHandler<? super E>... handlers) {
            return then(handlers);
        }

        /** Adds handlers that control what happens next. */
        @SafeVarargs
        public final Group<E> thenControlled(ControlledEventHandler<? super E>... handlers) {
            return graph.group(stages, (h, s) -> new ControlledStage<E>(graph.ring, h, s), handlers);
        }

        /** Adds handlers that take ranges of events. */
        @SafeVarargs
        public final Group<E> thenBatches(BatchHandler<E>... handlers) {
            return graph.group(stages, (h, s) -> new BatchStage<E>(graph.ring, h, s), handlers);
        }

        /** Adds handlers that share the events which all of this group have passed. */
        @SafeVarargs
        public final Group<E> thenShareAmong(EventHandler<? super E>... handlers) {
            return graph.share(stages, handlers);
        }

        /** Adds a stage of the caller's own making. */
        public Group<E> then(Stage stage) {
            return graph.custom(stages, stage);
        }

        /**
         * Adds a handler behind all of this group while events flow; {@link Graph#leave} ends it.
         *
         * @param name of its stage
         * @return the position from which on it sees every event when all of this group have passed it: where the
         *         slowest of them is
         * @throws IllegalStateException    if the graph has not been started or has ended
         * @throws IllegalArgumentException if one of this group has left
         */
        public long join(String name, EventHandler<? super E> handler) {
            return join(graph.newSettings().withName(name), handler);
        }

        /** As {@link #join(String, EventHandler)}, with settings of its own. */
        public long join(StageSettings settings, EventHandler<? super E> handler) {
            return graph.join(stages, (h, s) -> new EventStage<E>(graph.ring, h, s), handler, settings);
        }

        /** As {@link #join(String, EventHandler)}, of a handler that controls what happens next. */
        public long joinControlled(StageSettings settings, ControlledEventHandler<? super E> handler) {
            return graph.join(stages, (h, s) -> new ControlledStage<E>(graph.ring, h, s), handler, settings);
        }

        /** As {@link #join(String, EventHandler)}, of a handler that takes ranges of events. */
        public long joinBatches(StageSettings settings, BatchHandler<E> handler) {
            return graph.join(stages, (h, s) -> new BatchStage<E>(graph.ring, h, s), handler, settings);
        }

        /**
         * As {@link #join(String, EventHandler)}, of a stage of the caller's own making; {@link Graph#leave} is then
         * given the stage.
         */
        public long join(Stage stage) {
            return graph.joinCustom(stages, stage);
        }

        /**
         * Returns this group and {@code other} as one.
         *
         * @throws IllegalArgumentException if they are of different graphs
         */
        public Group<E> and(Group<E> other) {
            return new Group<>(graph, graph.union(stages, other.graph, other.stages));
        }

        /**
         * Returns a barrier behind all of this group, as for a
         * {@linkplain RingBuffer#newPoller(SequenceBarrier) poller}.
         */
        public SequenceBarrier asSequenceBarrier() {
            return graph.barrierBehind(stages);
        }
    }
}
