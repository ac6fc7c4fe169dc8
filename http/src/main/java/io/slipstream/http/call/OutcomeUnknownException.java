package io.slipstream.http.call;

/** The connection was lost behind a command that was sent: nobody here knows whether it was applied. */
public final class OutcomeUnknownException extends RuntimeException {
    private static final long serialVersionUID = 1;

    OutcomeUnknownException(String message) {
        super(message, null, false, false);
    }
}
