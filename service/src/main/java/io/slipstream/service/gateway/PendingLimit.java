package io.slipstream.service.gateway;

import io.slipstream.core.sequence.Sequence;

/**
 * Decides whether there is room for one more command.
 *
 * <p>The limit of waiting commands is the wanted response time times the measured rate at which commands are done
 * (Little's law), so that those who are accepted are answered in time, and the others at once.
 *
 * <p>One thread admits; another moves {@code processed}.
 */
final class PendingLimit {
    private static final long INTERVAL_NANOS = 2_000_000;
    private static final long FIRST_RETRY_NANOS = 10_000_000;
    private static final long LONGEST_RETRY_NANOS = 1_000_000_000;
    private static final int SLOWER_SHARE = 16;

    private final Sequence processed;
    private final long responseTimeNanos;
    private final long minLimit;
    private final long maxLimit;
    private long accepted;
    private double ratePerNano;
    private long limit;

    private long intervalStart;
    private long intervalProcessed;
    private boolean intervalBusy;

    PendingLimit(Sequence processed, long responseTimeNanos, long minLimit, long maxLimit) {
        this.processed = processed;
        this.responseTimeNanos = responseTimeNanos;
        this.minLimit = minLimit;
        this.maxLimit = maxLimit;
        this.limit = maxLimit;
    }

    /** Returns whether one more may wait. */
    boolean hasRoom() {
        return pending() < limit;
    }

    /** Counts a message that went into the input ring. */
    void accept() {
        accepted++;
    }

    /** Returns how many messages wait. */
    long pending() {
        return accepted - processed.getAcquire();
    }

    /** Returns how many may wait at present. */
    long limit() {
        return limit;
    }

    /** Returns when those that wait now will be done, in nanoseconds from now. */
    long retryAfterNanos() {
        if (ratePerNano == 0) {
            return FIRST_RETRY_NANOS;
        }
        return Math.clamp((long) (pending() / ratePerNano), 1_000, LONGEST_RETRY_NANOS);
    }

    /**
     * Measures the rate, once in a while. Only an interval with work from its beginning to its end says how fast the
     * service can be; a rate that grows is believed at once, one that falls by and by.
     */
    void measure(long nowNanos) {
        long elapsed = nowNanos - intervalStart;
        if (elapsed < INTERVAL_NANOS) {
            return;
        }
        long done = processed.getAcquire();
        boolean busy = accepted - done >= minLimit / 2;
        if (busy && intervalBusy && done > intervalProcessed) {
            double rate = (double) (done - intervalProcessed) / elapsed;
            ratePerNano = rate > ratePerNano ? rate : ratePerNano + (rate - ratePerNano) / SLOWER_SHARE;
            limit = Math.clamp((long) (ratePerNano * responseTimeNanos), minLimit, maxLimit);
        }
        if (done > intervalProcessed || !busy || !intervalBusy) {
            intervalStart = nowNanos;
            intervalProcessed = done;
            intervalBusy = busy;
        }
    }
}
