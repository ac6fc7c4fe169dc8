package io.slipstream.service.logic;

import org.jspecify.annotations.Nullable;

/**
 * The outputs go nowhere any more, because the gateway has ended. No exception, which would count as one of the state
 * machine and let it go on with a state that no replay reaches.
 */
public final class OutputEndedError extends Error {
    private static final long serialVersionUID = 1;

    /** Creates an error that says what has ended the gateway, if that is known. */
    public OutputEndedError(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
