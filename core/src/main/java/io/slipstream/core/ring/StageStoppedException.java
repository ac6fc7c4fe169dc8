package io.slipstream.core.ring;

import org.jspecify.annotations.Nullable;

/** Says which stage of a graph has stopped, and where; the cause is what its handler has thrown, if it has. */
public final class StageStoppedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StageStoppedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
