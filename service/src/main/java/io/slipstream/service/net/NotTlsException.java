package io.slipstream.service.net;

import java.io.IOException;
import java.io.Serial;

/** The peer has begun with something else than TLS. */
public final class NotTlsException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    NotTlsException() {
        super("the peer does not speak TLS");
    }
}
