package io.slipstream.sim.world;

import java.util.SplittableRandom;

/**
 * One source of chance. Each of a world's has its own numbers, so that what one of them is asked, or that it is not
 * asked any more, changes nothing for the others.
 */
public final class Chance {
    private final SplittableRandom random;

    /** Creates a source whose numbers come from {@code seed}. */
    Chance(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** Returns its numbers. */
    public SplittableRandom random() {
        return random;
    }

    /** Returns a number from 1 to {@code most}, smaller ones more often: half of them are below its square root. */
    public long someNanos(long most) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(most);
        return 1 + random.nextLong(Math.min(most, 1L << random.nextInt(1, bits + 1)));
    }

    /** As {@link #someNanos(long)}, from {@code least} on: half of them are below the geometric mean of both. */
    public long someNanos(long least, long most) {
        return Math.min(most, Math.round(least * Math.pow((double) most / least, random.nextDouble())));
    }

    /** Returns whether something happens that has this probability. */
    public boolean happens(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }
}
