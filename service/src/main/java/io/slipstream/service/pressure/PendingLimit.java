package io.slipstream.service.pressure;

import io.slipstream.core.sequence.Sequence;

/**
 * Decides whether there is room for one more command.
 *
 * <p>The limit of waiting commands is the wanted response time times the measured rate at which commands are done
 * (J. D. C. Little, "A Proof for the Queuing Formula L = λW", 1961), so that those that are accepted are answered in
 * time, and the others at once. Before a rate is known it counts on 20,000 commands a second: whoever has just started
 * has shown nothing yet. That is a bound on a queue, and no promise: see {@link Workload} for one.
 *
 * <p>One thread admits; where there are several gateways, each has a limit of its own on what waits of all of them, and
 * so they come to the same. Another thread moves {@link Inflow#processed}. Nothing here allocates.
 */
public final class PendingLimit {
    private static final long INTERVAL_NANOS = 2_000_000;
    private static final long LONGEST_RETRY_NANOS = 1_000_000_000;
    private static final int SLOWER_SHARE = 16;
    private static final double COLD_RATE_PER_NANO = 20_000 / 1e9;

    private final Inflow inflow;
    private final long responseTimeNanos;
    private final long minLimit;
    private final long maxLimit;
    private final RetrySpread spread = new RetrySpread(0x9E37_79B9_7F4A_7C15L);
    private double ratePerNano = COLD_RATE_PER_NANO;
    private long limit;

    private long lastDone = -1;
    private long movedNanos;
    private long standsForNanos;
    private long intervalStart;
    private long intervalProcessed;
    private boolean intervalBusy;

    /**
     * Creates a limit.
     *
     * @param processed         how many commands are done, of those that {@link #accept} was called for
     * @param responseTimeNanos how long an accepted command may wait
     * @param minLimit          how many may always wait
     * @param maxLimit          how many may wait at most, however fast they are done
     */
    public PendingLimit(Sequence processed, long responseTimeNanos, long minLimit, long maxLimit) {
        this(Inflow.of(1, processed).getFirst(), responseTimeNanos, minLimit, maxLimit);
    }

    /** Creates a limit for one of several gateways: it bounds what waits of all of them. */
    public PendingLimit(Inflow inflow, long responseTimeNanos, long minLimit, long maxLimit) {
        this.inflow = inflow;
        this.responseTimeNanos = responseTimeNanos;
        this.minLimit = minLimit;
        this.maxLimit = maxLimit;
        this.limit = Math.clamp((long) (COLD_RATE_PER_NANO * responseTimeNanos), minLimit, maxLimit);
    }

    /** Returns whether one more may wait. */
    public boolean hasRoom() {
        return pending() < limit;
    }

    /** Counts a message that is about to go into the input ring. */
    public void accept() {
        inflow.accept(0);
    }

    /** Returns how many messages wait. */
    public long pending() {
        return inflow.pending();
    }

    /** Returns how many may wait at present. */
    public long limit() {
        return limit;
    }

    /**
     * Returns when whoever was refused should come back, in nanoseconds from now: between one and two times as long as
     * those that wait now will take, so that they do not come back all at once. Where nothing was done for a while,
     * that may last as long again.
     */
    public long retryAfterNanos() {
        long likely = Math.max(standsForNanos, (long) (pending() / ratePerNano));
        return spread.next(Math.clamp(likely, 1_000, LONGEST_RETRY_NANOS / 2));
    }

    /**
     * Measures the rate, once in a while, and for how long nothing was done. Only an interval with work from its
     * beginning to its end says how fast the service can be. A rate that grows is applied at once, one that falls is
     * smoothed.
     */
    public void measure(long nowNanos) {
        long done = inflow.processed().getAcquire();
        if (done != lastDone || inflow.total() == done) {
            lastDone = done;
            movedNanos = nowNanos;
        }
        standsForNanos = nowNanos - movedNanos;
        long elapsed = nowNanos - intervalStart;
        if (elapsed < INTERVAL_NANOS) {
            return;
        }
        boolean busy = inflow.total() - done >= minLimit / 2;
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
