package io.slipstream.core.graph;

import org.jspecify.annotations.Nullable;

/** Says which stage of a graph has stopped, and where; the cause is what its handler has thrown, if it has. */
public final class StageStoppedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Says the same as {@code stopped} to another thread. */
    StageStoppedException(StageStoppedException stopped) {
        this(stopped.getMessage(), stopped.getCause());
        for (Throwable suppressed : stopped.getSuppressed()) {
            addSuppressed(suppressed);
        }
    }

    StageStoppedException(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
