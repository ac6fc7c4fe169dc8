package io.slipstream.service.logic;

import java.util.Arrays;

/**
 * Which of a session's last correlations were applied, as a sliding window of bits.
 *
 * <p>Correlations grow but need not be dense nor come in order. One that has fallen out of the window cannot be told
 * from a resend any more and is refused.
 */
final class ReplayWindow {
    /** How many correlations back from the newest one the window reaches; a power of two. */
    static final int SIZE = 1 << 15;

    enum Seen { NEW, APPLIED, TOO_OLD }

    private final long[] bits = new long[SIZE / Long.SIZE];
    private long newest;

    /** Tells whether the command with that correlation was applied. Correlations begin with 1. */
    Seen lookUp(long correlation) {
        if (correlation > newest) {
            return Seen.NEW;
        }
        if (correlation <= newest - SIZE || correlation <= 0) {
            return Seen.TOO_OLD;
        }
        return (bits[word(correlation)] & bit(correlation)) == 0 ? Seen.NEW : Seen.APPLIED;
    }

    /** Notes that the command with that correlation, which {@link #lookUp} called new, is applied. */
    void mark(long correlation) {
        if (correlation > newest) {
            slideTo(correlation);
        }
        bits[word(correlation)] |= bit(correlation);
    }

    private void slideTo(long correlation) {
        if (correlation - newest >= SIZE) {
            Arrays.fill(bits, 0);
        } else {
            for (long passed = newest + 1; passed < correlation; passed++) {
                bits[word(passed)] &= ~bit(passed);
            }
        }
        bits[word(correlation)] &= ~bit(correlation);
        newest = correlation;
    }

    private static int word(long correlation) {
        return (int) (correlation & (SIZE - 1)) / Long.SIZE;
    }

    private static long bit(long correlation) {
        return 1L << (correlation & (Long.SIZE - 1));
    }
}
