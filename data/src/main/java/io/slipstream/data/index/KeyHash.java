package io.slipstream.data.index;

import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;

/**
 * A seeded hash of 64 bits: the two halves of a 128-bit product, folded, as in Wang Yi's wyhash.
 *
 * <p>Whoever chooses the keys does not know the seed, and so cannot choose keys that fall into one bucket. It is not a
 * cryptographic hash: do not show it to anybody.
 *
 * <p>One product alone spreads keys with equal distances badly under a few multipliers, so that of a number is folded
 * twice. Files of version 1 have those that were folded once.
 *
 * @param seed a secret
 * @param multiplier a secret; odd
 * @param twice whether a number is folded twice
 */
record KeyHash(long seed, long multiplier, boolean twice) {
    private static final long PRIME = 0xa0761d6478bd642fL;

    KeyHash {
        if ((multiplier & 1) == 0) {
            throw new IllegalArgumentException("a multiplier of a hash is odd, not " + multiplier);
        }
    }

    KeyHash(long seed, long multiplier) {
        this(seed, multiplier, true);
    }

    /** Returns a hash with secrets of its own. */
    static KeyHash random() {
        SecureRandom random = new SecureRandom();
        return new KeyHash(random.nextLong(), random.nextLong() & 0x7fff_ffff_ffff_ffffL | 0x4000_0000_0000_0001L);
    }

    static long mix(long a, long b) {
        return Math.unsignedMultiplyHigh(a, b) ^ a * b;
    }

    long of(long key) {
        long once = mix(key ^ seed, multiplier);
        return twice ? mix(once ^ PRIME, multiplier) : once;
    }

    /** Returns the hash of some bytes. */
    long of(MemorySegment bytes, long offset, int length) {
        long h = seed ^ mix(length ^ PRIME, multiplier);
        long at = offset;
        long end = offset + length;
        for (; at + Long.BYTES <= end; at += Long.BYTES) {
            h = mix(Memory.getLong(bytes, at) ^ h, multiplier);
        }
        if (at < end) {
            h = mix(tail(bytes, at, (int) (end - at)) ^ h, multiplier);
        }
        return mix(h ^ PRIME, multiplier);
    }

    /** Returns fewer than eight bytes as a number, padded with zeros. */
    static long tail(MemorySegment bytes, long at, int length) {
        long tail = 0;
        for (int i = 0; i < length; i++) {
            tail |= (Memory.getByte(bytes, at + i) & 0xffL) << (i << 3);
        }
        return tail;
    }
}
