package io.slipstream.service.gateway;

import io.slipstream.service.security.ClientLimits;

/**
 * What one principal may still send: the generic cell rate algorithm (ITU-T I.371), for requests and for bytes, with a
 * burst of one second. For one thread.
 */
final class Allowance {
    private static final long SECOND_NANOS = 1_000_000_000;

    private ClientLimits limits;
    private int connections;

    /* Until then all that was sent is paid for, if it is sent at the rate. */
    private long requestsPaidNanos;
    private long bytesPaidNanos;

    Allowance(ClientLimits limits, long nowNanos) {
        this.limits = limits;
        fill(nowNanos);
    }

    /** Sets other limits. What was sent under the former ones is paid for. */
    void limits(ClientLimits newLimits, long nowNanos) {
        if (!newLimits.equals(limits)) {
            limits = newLimits;
            fill(nowNanos);
        }
    }

    /** One more connection uses it. */
    void enter() {
        connections++;
    }

    /** One of its connections has ended. */
    void leave() {
        connections--;
    }

    /** Returns whether nobody uses it, and a new one would allow just as much. */
    boolean isForgettable(long nowNanos) {
        return connections == 0
                && nowNanos - requestsPaidNanos >= SECOND_NANOS
                && nowNanos - bytesPaidNanos >= SECOND_NANOS;
    }

    private void fill(long nowNanos) {
        requestsPaidNanos = nowNanos - SECOND_NANOS;
        bytesPaidNanos = nowNanos - SECOND_NANOS;
    }

    /** Takes a request of so many bytes from what is left; returns false, and takes nothing, if there is none. */
    boolean take(long nowNanos, int bytes) {
        if (retryAfterNanos(nowNanos) > 0) {
            return false;
        }
        long begin = nowNanos - SECOND_NANOS;
        requestsPaidNanos = later(requestsPaidNanos, begin) + SECOND_NANOS / limits.requestsPerSecond();
        bytesPaidNanos =
                later(bytesPaidNanos, begin) + (long) ((double) bytes * SECOND_NANOS / limits.bytesPerSecond());
        return true;
    }

    /** Returns after how many nanoseconds there is something left; 0 for now. */
    long retryAfterNanos(long nowNanos) {
        return Math.max(0, Math.max(requestsPaidNanos - nowNanos, bytesPaidNanos - nowNanos));
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }
}
