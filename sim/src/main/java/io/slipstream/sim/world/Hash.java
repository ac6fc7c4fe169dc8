package io.slipstream.sim.world;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Hashes that are the same everywhere. */
public final class Hash {
    private Hash() {}

    /** Returns the hash of a number, as SplitMix64 mixes its state. */
    public static long mix(long value) {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    /** Returns a hash of {@code length} bytes from {@code offset} on. */
    public static long of(MemorySegment memory, long offset, int length) {
        long hash = length;
        for (int i = 0; i < length; i++) {
            hash = hash * 31 + memory.get(ValueLayout.JAVA_BYTE, offset + i);
        }
        return mix(hash);
    }
}
