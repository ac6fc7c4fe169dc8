package io.slipstream.core.graph;

import io.slipstream.core.handler.ExceptionPolicy;
import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * What may be set for the stage of one handler before its graph starts; {@link Graph#settings} returns it. Afterwards
 * each method throws an {@link IllegalStateException}. Any thread may call it.
 *
 * <pre>{@code
 * graph.settings(journal).name("journal").thread("disk").maxBatch(256);
 * }</pre>
 */
public final class HandlerSettings {
    private final Graph graph;
    private final Object handler;

    HandlerSettings(Graph graph, Object handler) {
        this.graph = graph;
        this.handler = handler;
    }

    /** Names the stage, its thread and its counters. */
    public HandlerSettings name(String name) {
        return change(s -> s.withName(name));
    }

    /**
     * Runs the stage on the thread of that name, together with all others for which the same was chosen; they run in
     * turn, in the order in which they were added. Those without a choice share the threads that are left of those that
     * {@link Graph#start} is given, at least one.
     */
    public HandlerSettings thread(String name) {
        Objects.requireNonNull(name, "name");
        graph.changeBeforeStart("choose the thread of a stage", nodes -> nodes.get(handler).thread = name);
        return this;
    }

    /** Limits batches to {@code most} events; of frames to as many bytes, or one frame if that is larger. */
    public HandlerSettings maxBatch(int most) {
        return change(s -> s.withMaxBatch(most));
    }

    /** Has the handler told whenever nothing has come for {@code timeout}. */
    public HandlerSettings timeout(Duration timeout) {
        return change(s -> s.withTimeout(timeout));
    }

    /** Sets what happens when the handler throws, whatever the default of the graph is or becomes. */
    public HandlerSettings onException(ExceptionPolicy policy) {
        Objects.requireNonNull(policy, "policy");
        change(s -> s.withExceptionPolicy(policy));
        graph.changeBeforeStart("change a stage", nodes -> nodes.get(handler).hasOwnPolicy = true);
        return this;
    }

    private HandlerSettings change(UnaryOperator<StageSettings> change) {
        graph.changeBeforeStart("change a stage", nodes -> nodes.change(handler, change));
        return this;
    }
}
