package io.slipstream.http.call;

import io.slipstream.service.protocol.Busy;

/** Too much is asked at present; nothing was applied, and the same may be sent again later. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Busy.Reason reason;
    private final long retryAfterNanos;
    private final boolean isForWantOfRoom;

    RefusedException(Busy.Reason reason, String message, long retryAfterNanos) {
        super(message, null, false, false);
        this.reason = reason;
        this.retryAfterNanos = retryAfterNanos;
        this.isForWantOfRoom = false;
    }

    /** The service has answered that it is busy. */
    RefusedException(Busy.Reason reason, long retryAfterNanos) {
        super(reason.text(), null, false, false);
        this.reason = reason;
        this.retryAfterNanos = retryAfterNanos;
        this.isForWantOfRoom = reason != Busy.Reason.LOG_FULL;
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
