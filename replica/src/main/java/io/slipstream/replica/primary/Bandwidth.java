package io.slipstream.replica.primary;

import io.slipstream.service.host.Host;

/** Spreads bytes over time. What was not used in the past is not made up for. For one thread. */
final class Bandwidth {
    /* So many messages a second make one that is limited look steady. */
    private static final int MESSAGES_A_SECOND = 8;
    private static final int LEAST_BATCH_BYTES = 1 << 10;

    private final Host host;
    private final long bytesPerSecond;
    private long freeAtNanos;

    /** Creates one that lets so many bytes through; all of them for 0. */
    Bandwidth(Host host, long bytesPerSecond) {
        this.host = host;
        this.bytesPerSecond = bytesPerSecond;
        this.freeAtNanos = host.nanoTime();
    }

    /** Returns how many bytes to send at once, at most {@code most}. */
    int batchBytes(int most) {
        return bytesPerSecond == 0
                ? most
                : Math.clamp(bytesPerSecond / MESSAGES_A_SECOND, Math.min(LEAST_BATCH_BYTES, most), most);
    }

    /** Takes note of bytes that were sent. */
    void sent(long bytes) {
        if (bytesPerSecond > 0) {
            long now = host.nanoTime();
            freeAtNanos = Math.max(freeAtNanos - now, 0) + now + (long) (bytes * 1e9 / bytesPerSecond);
        }
    }

    /** Returns how long nothing may be sent; 0 for not at all. */
    long waitNanos() {
        return bytesPerSecond == 0 ? 0 : Math.max(0, freeAtNanos - host.nanoTime());
    }
}
