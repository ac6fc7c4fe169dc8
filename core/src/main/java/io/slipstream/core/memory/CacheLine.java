package io.slipstream.core.memory;

/** Facts about the cache lines that this library lays its memory out for. */
public final class CacheLine {
    /** Bytes in a cache line. */
    public static final int BYTES = 64;

    /** Distance in bytes that keeps two fields apart even when the processor prefetches lines in pairs. */
    public static final int PADDING_BYTES = 2 * BYTES;

    private CacheLine() {
    }
}
