package io.slipstream.core.graph;

import io.slipstream.core.handler.ExceptionPolicy;
import io.slipstream.core.thread.Patience;
import java.time.Duration;
import java.util.Objects;

/**
 * What is set for one stage of a graph, before it starts.
 *
 * <pre>{@code
 * graph.join(StageSettings.named("audit").withMaxBatch(64), handler);
 * }</pre>
 *
 * @param name         for pictures, threads, counters and messages
 * @param maxBatch     the largest batch in positions: events, or bytes of frames
 * @param timeoutNanos after how long without events the handler is told, in nanoseconds; 0 for never
 * @param onException  what to do when the handler throws
 */
public record StageSettings(String name, int maxBatch, long timeoutNanos, ExceptionPolicy onException) {
    /** Checks the values. */
    public StageSettings {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(onException, "onException");
        if (name.isBlank()) {
            throw new IllegalArgumentException("a stage needs a name");
        }
        if (maxBatch < 1) {
            throw new IllegalArgumentException(
                    "the largest batch of stage " + name + " must be positive, not " + maxBatch);
        }
        if (timeoutNanos < 0) {
            throw new IllegalArgumentException("the time-out of stage " + name + " must not be negative");
        }
    }

    /** Returns the default settings: batches of any size, no time-out, stop on an exception. */
    public static StageSettings named(String name) {
        return new StageSettings(name, Integer.MAX_VALUE, 0, ExceptionPolicy.stop());
    }

    /** Returns these settings with another name. */
    public StageSettings withName(String newName) {
        return new StageSettings(newName, maxBatch, timeoutNanos, onException);
    }

    /** Returns these settings with another largest batch: events, or bytes of frames. */
    public StageSettings withMaxBatch(int newMaxBatch) {
        return new StageSettings(name, newMaxBatch, timeoutNanos, onException);
    }

    /** Returns these settings with another time without events after which the handler is told; zero for never. */
    public StageSettings withTimeout(Duration timeout) {
        if (Objects.requireNonNull(timeout, "timeout").isNegative()) {
            throw new IllegalArgumentException(
                    "the time-out of stage " + name + " must not be negative, as " + timeout + " is");
        }
        return new StageSettings(name, maxBatch, Patience.nanos(timeout), onException);
    }

    /** Returns these settings with another answer to what the handler throws. */
    public StageSettings withExceptionPolicy(ExceptionPolicy policy) {
        return new StageSettings(name, maxBatch, timeoutNanos, policy);
    }
}
