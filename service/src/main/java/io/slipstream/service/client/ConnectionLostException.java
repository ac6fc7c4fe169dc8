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
}
