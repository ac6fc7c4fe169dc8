package io.slipstream.replica.site;

import java.io.IOException;

/** The backup was promoted: this site must not answer commands any more. */
public final class FencedException extends IOException {
    private static final long serialVersionUID = 1;

    /** Creates an exception that says by whom, and what to do. */
    public FencedException(String message) {
        super(message);
    }
}
