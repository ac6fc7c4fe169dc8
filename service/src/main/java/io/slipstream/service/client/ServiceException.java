package io.slipstream.service.client;

import io.slipstream.service.protocol.FailureCode;

/** Why a command has no reply. */
public class ServiceException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final FailureCode code;

    /** Creates an exception for a failure that the service has told, or that the client has found. */
    public ServiceException(FailureCode code, String message) {
        super(message);
        this.code = code;
    }

    /** Returns the service's code for it. */
    public FailureCode code() {
        return code;
    }
}
