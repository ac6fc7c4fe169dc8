package io.slipstream.core.ring;

import org.jspecify.annotations.Nullable;

/**
 * Thrown to publishers of a ring whose consumers cannot go on: the message says which one and where, the cause says
 * why.
 *
 * <p>Each publisher gets an exception of its own; the cause is the one that the consumer ended with, if there was one.
 */
public final class RingFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RingFailedException(String reason, @Nullable Throwable cause) {
        super(reason, cause);
    }
}
