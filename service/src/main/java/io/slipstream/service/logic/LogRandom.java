package io.slipstream.service.logic;

import java.util.random.RandomGenerator;

/**
 * Random numbers that are the same at every replay: each log entry begins a series of its own, which follows from its
 * sequence and the log's seed.
 *
 * <p>So nothing of it is in a snapshot, and an entry that draws more numbers than it used to does not change those of
 * the entries behind it. SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). Whoever
 * knows the log can foretell them: they are no secrets.
 */
final class LogRandom implements RandomGenerator {
    private static final long GOLDEN_GAMMA = 0x9E37_79B9_7F4A_7C15L;

    private long seed;
    private long state;

    /** Sets what the series of all entries of this log begin with. */
    void seed(long logSeed) {
        seed = logSeed;
    }

    long seed() {
        return seed;
    }

    /** Begins the series of a log entry. */
    void begin(long sequence) {
        state = mix(seed + mix(sequence * GOLDEN_GAMMA));
    }

    @Override
    public long nextLong() {
        state += GOLDEN_GAMMA;
        return mix(state);
    }

    private static long mix(long value) {
        long z = value;
        z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return z ^ (z >>> 31);
    }
}
