package io.slipstream.service.security;

import java.io.Serial;

/** Credentials are not good. The message is for the audit trail; the client does not get it. */
public final class DeniedException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    /** Creates it with the reason. */
    public DeniedException(String reason) {
        super(reason, null, false, false);
    }
}
