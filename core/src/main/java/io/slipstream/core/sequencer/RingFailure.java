package io.slipstream.core.sequencer;

import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Why a ring takes no more events.
 *
 * @param reason    which consumer has stopped, and where
 * @param cause     what it has thrown, or null if it stopped on purpose
 * @param exception makes what publishers are thrown, from reason and cause
 */
public record RingFailure(
        String reason, @Nullable Throwable cause, BiFunction<String, @Nullable Throwable, RuntimeException> exception) {
    /** Returns a new exception for one publisher. */
    public RuntimeException newException() {
        return exception.apply(reason, cause);
    }
}
