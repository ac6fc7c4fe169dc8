package io.slipstream.service.client;

import io.slipstream.service.protocol.FailureCode;

import java.time.Duration;

/** The service has too much to do; the command was not applied and may be sent again later. */
public final class BusyException extends ServiceException {
    private static final long serialVersionUID = 1;

    private final long retryAfterNanos;

    BusyException(long retryAfterNanos) {
        super(FailureCode.UNKNOWN, "the service is busy; there should be room in " + Duration.ofNanos(retryAfterNanos));
        this.retryAfterNanos = retryAfterNanos;
    }

    /** Returns after how many nanoseconds there is likely to be room. */
    public long retryAfterNanos() {
        return retryAfterNanos;
    }
}
