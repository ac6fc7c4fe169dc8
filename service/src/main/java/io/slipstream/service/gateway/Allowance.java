package io.slipstream.service.gateway;

import io.slipstream.service.security.ClientLimits;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What one principal may still send: the generic cell rate algorithm (ITU-T I.371), for requests and for bytes, with a
 * burst of one second.
 *
 * <p>The connections of a principal may be at several gateways, so any thread may call; none waits for another. Two
 * that take at the same moment may both pass the limit of bytes, by one request then; what is too much is paid for
 * before the next one.
 */
final class Allowance {
    private static final long SECOND_NANOS = 1_000_000_000;

    private volatile ClientLimits limits;
    private final AtomicInteger connections = new AtomicInteger();

    /* Until then all that was sent is paid for, if it is sent at the rate. */
    private final AtomicLong requestsPaidNanos = new AtomicLong();
    private final AtomicLong bytesPaidNanos = new AtomicLong();

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
        connections.incrementAndGet();
    }

    /** One of its connections has ended. */
    void leave() {
        connections.decrementAndGet();
    }

    /** Returns whether nobody uses it, and a new one would allow just as much. */
    boolean isForgettable(long nowNanos) {
        return connections.get() == 0
                && nowNanos - requestsPaidNanos.get() >= SECOND_NANOS
                && nowNanos - bytesPaidNanos.get() >= SECOND_NANOS;
    }

    private void fill(long nowNanos) {
        requestsPaidNanos.set(nowNanos - SECOND_NANOS);
        bytesPaidNanos.set(nowNanos - SECOND_NANOS);
    }

    /** Takes a request of so many bytes from what is left; returns false, and takes nothing, if there is none. */
    boolean take(long nowNanos, int bytes) {
        ClientLimits present = limits;
        long begin = nowNanos - SECOND_NANOS;
        long paid;
        do {
            paid = requestsPaidNanos.get();
            if (paid - nowNanos > 0 || bytesPaidNanos.get() - nowNanos > 0) {
                return false;
            }
        } while (!requestsPaidNanos.compareAndSet(
                paid, later(paid, begin) + SECOND_NANOS / present.requestsPerSecond()));
        long cost = (long) ((double) bytes * SECOND_NANOS / present.bytesPerSecond());
        do {
            paid = bytesPaidNanos.get();
        } while (!bytesPaidNanos.compareAndSet(paid, later(paid, begin) + cost));
        return true;
    }

    /** Returns after how many nanoseconds there is something left; 0 for now. */
    long retryAfterNanos(long nowNanos) {
        return Math.max(0, Math.max(requestsPaidNanos.get() - nowNanos, bytesPaidNanos.get() - nowNanos));
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }
}
