package io.slipstream.http.call;

/** Too much is asked at present, or there is no service; nothing was applied, and the same may be sent again later. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private static final long RETRY_NANOS = 1_000_000_000;

    private final long retryAfterNanos;
    private final boolean isForWantOfService;

    private RefusedException(String message, long retryAfterNanos, boolean isForWantOfService) {
        super(message, null, false, false);
        this.retryAfterNanos = retryAfterNanos;
        this.isForWantOfService = isForWantOfService;
    }

    /** Returns that the gateway has no room for it at present. */
    static RefusedException ofRoom(String message) {
        return new RefusedException(message, RETRY_NANOS, false);
    }

    /** Returns that there is no connection to the service. */
    static RefusedException ofNoService(String message) {
        return new RefusedException(message, RETRY_NANOS, true);
    }

    /** Returns whether there is no connection to the service, so that it is not known how much it has to do. */
    public boolean isForWantOfService() {
        return isForWantOfService;
    }

    /** Returns after how many nanoseconds there is likely to be room. */
    public long retryAfterNanos() {
        return retryAfterNanos;
    }
}
