package io.slipstream.service.typed;

import io.slipstream.service.client.ServiceException;
import io.slipstream.service.protocol.FailureCode;

/** The machine did not accept a command, or cannot read it. Nothing failed; the message is the machine's reason. */
public final class RejectedException extends ServiceException {
    private static final long serialVersionUID = 1;

    /** Creates an exception with the reason that the machine gave. */
    public RejectedException(String reason) {
        super(FailureCode.REJECTED, reason);
    }

    /** Returns the reason that the machine gave. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
