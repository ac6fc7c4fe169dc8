package io.slipstream.service.pressure;

/**
 * Spreads the times at which clients that were refused come back, so that they do not come all at once. One thread.
 *
 * <p>The numbers are those of Marsaglia's xorshift ("Xorshift RNGs", 2003).
 */
public final class RetrySpread {
    private long state;

    /** Creates a spread; two with the same {@code seed}, which is not 0, give the same times. */
    public RetrySpread(long seed) {
        if (seed == 0) {
            throw new IllegalArgumentException("the seed must not be 0");
        }
        this.state = seed;
    }

    /** Returns a time from {@code nanos}, which is at least 1, to less than twice as much. */
    public long next(long nanos) {
        state ^= state << 13;
        state ^= state >>> 7;
        state ^= state << 17;
        return nanos + Long.remainderUnsigned(state, nanos);
    }
}
