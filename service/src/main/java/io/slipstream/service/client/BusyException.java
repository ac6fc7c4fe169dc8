package io.slipstream.service.client;

import io.slipstream.service.protocol.Busy;
import io.slipstream.service.protocol.FailureCode;
import java.time.Duration;

/** The service cannot take the command at present; the command was not applied and may be sent again later. */
public final class BusyException extends ServiceException {
    private static final long serialVersionUID = 1;

    private final Busy.Reason reason;
    private final long retryAfterNanos;

    BusyException(Busy.Reason reason, long retryAfterNanos) {
        super(FailureCode.UNKNOWN, reason.text() + "; come back in " + Duration.ofNanos(retryAfterNanos));
        this.reason = reason;
        this.retryAfterNanos = retryAfterNanos;
    }

    /** Returns why the command was refused. */
    public Busy.Reason reason() {
        return reason;
    }

    /** Returns after how many nanoseconds there is likely to be room. */
    public long retryAfterNanos() {
        return retryAfterNanos;
    }
}
