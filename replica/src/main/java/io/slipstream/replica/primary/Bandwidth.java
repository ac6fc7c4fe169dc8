package io.slipstream.replica.primary;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Spreads bytes over time. What was not used in the past is not made up for. For one thread. */
final class Bandwidth {
    private final long bytesPerSecond;
    private final BooleanSupplier ended;
    private long freeAtNanos;

    Bandwidth(long bytesPerSecond, BooleanSupplier ended) {
        this.ended = ended;
        this.bytesPerSecond = bytesPerSecond;
        this.freeAtNanos = System.nanoTime();
    }

    /** Takes note of bytes that were sent, and waits as long as they were too many. */
    void sent(long bytes) {
        if (bytesPerSecond == 0) {
            return;
        }
        long now = System.nanoTime();
        freeAtNanos = Math.max(freeAtNanos - now, 0) + now + (long) (bytes * 1e9 / bytesPerSecond);
        long wait;
        while ((wait = freeAtNanos - System.nanoTime()) > 0 && !ended.getAsBoolean()) {
            LockSupport.parkNanos(Math.min(wait, 100_000_000));
        }
    }
}
