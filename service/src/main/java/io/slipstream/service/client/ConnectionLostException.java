package io.slipstream.service.client;

import io.slipstream.service.protocol.FailureCode;

/**
 * The service could not be reached any more, or has forgotten the session: whether the command was applied is unknown.
 */
public final class ConnectionLostException extends ServiceException {
    private static final long serialVersionUID = 1;

    ConnectionLostException(String message) {
        super(FailureCode.UNKNOWN, message);
    }

    /** Returns what becomes of a command that was sent when the client ended for that reason. */
    static ConnectionLostException of(ServiceException why) {
        if (why instanceof ConnectionLostException lost) {
            return lost;
        }
        ConnectionLostException unknown =
                new ConnectionLostException(why.getMessage() + "; whether the command was applied is unknown");
        unknown.initCause(why);
        return unknown;
    }
}
