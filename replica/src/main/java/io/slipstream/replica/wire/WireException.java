package io.slipstream.replica.wire;

import java.io.IOException;

/** What has come over the wire is no message of this protocol, or a damaged one. The connection is closed. */
public final class WireException extends IOException {
    private static final long serialVersionUID = 1;

    /** Creates an exception that says what was wrong. */
    public WireException(String message) {
        super(message);
    }
}
