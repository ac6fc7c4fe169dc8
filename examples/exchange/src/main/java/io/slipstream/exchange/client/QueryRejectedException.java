package io.slipstream.exchange.client;

import io.slipstream.exchange.wire.Rejection;

/** The exchange has refused to answer a question. */
public final class QueryRejectedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Rejection rejection;

    /** Creates an exception. */
    public QueryRejectedException(Rejection rejection) {
        super("the exchange has refused the query: " + rejection);
        this.rejection = rejection;
    }

    /** Returns why. */
    public Rejection rejection() {
        return rejection;
    }
}
