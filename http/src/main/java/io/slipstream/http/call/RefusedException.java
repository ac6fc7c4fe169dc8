package io.slipstream.http.call;

import io.slipstream.service.protocol.Busy;

/** Too much is asked at present, or there is no service; nothing was applied, and the same may be sent again later. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Busy.Reason reason;
    private final long retryAfterNanos;
    private final boolean isForWantOfRoom;
    private final boolean isForWantOfService;

    RefusedException(Busy.Reason reason, String message, long retryAfterNanos) {
        this(reason, message, retryAfterNanos, false, false);
    }

    /** The service has answered that it is busy. */
    RefusedException(Busy.Reason reason, long retryAfterNanos) {
        this(reason, reason.text(), retryAfterNanos, reason != Busy.Reason.LOG_FULL, false);
    }

    private RefusedException(
            Busy.Reason reason,
            String message,
            long retryAfterNanos,
            boolean isForWantOfRoom,
            boolean isForWantOfService) {
        super(message, null, false, false);
        this.reason = reason;
        this.retryAfterNanos = retryAfterNanos;
        this.isForWantOfRoom = isForWantOfRoom;
        this.isForWantOfService = isForWantOfService;
    }

    /** Returns that there is no connection to the service. */
    static RefusedException ofNoService(String message, long retryAfterNanos) {
        return new RefusedException(Busy.Reason.PENDING, message, retryAfterNanos, false, true);
    }

    /** Returns whether there is no connection to the service, so that it is not known how much it has to do. */
    public boolean isForWantOfService() {
        return isForWantOfService;
    }

    /** Returns whether the service had too much to do, and said when to come back. */
    boolean isForWantOfRoom() {
        return isForWantOfRoom;
    }

    /** Returns why. */
    public Busy.Reason reason() {
        return reason;
    }

    /** Returns after how many nanoseconds there is likely to be room. */
    public long retryAfterNanos() {
        return retryAfterNanos;
    }
}
