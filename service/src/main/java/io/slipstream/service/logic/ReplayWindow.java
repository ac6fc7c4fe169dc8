package io.slipstream.service.logic;

import io.slipstream.service.machine.StateFormatException;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.util.Arrays;

/**
 * Which of a session's correlations were applied.
 *
 * <p>Correlations grow, but need not be dense nor come in order. All up to {@code floor} count as applied or too old; a
 * bitmap covers the ones from there to the newest. A session whose correlations come in order needs no bitmap at all,
 * so a million of such sessions cost little. The bitmap covers at most the last {@link #SIZE} correlations: what falls
 * out of it cannot be told from a resend any more and is refused.
 */
final class ReplayWindow {
    /** How many correlations back from the newest one the window reaches; a power of two. */
    static final int SIZE = 1 << 15;

    private static final long[] NO_BITS = {};

    enum Seen {
        NEW,
        APPLIED,
        TOO_OLD
    }

    /* The bit of a correlation is at its lowest bits, modulo the size of the bitmap; those up to the floor are
    clear. */
    private long[] bits = NO_BITS;
    private long floor;
    private long newest;

    /** Tells whether the command with that correlation was applied. Correlations begin with 1. */
    Seen lookUp(long correlation) {
        if (correlation > newest) {
            return Seen.NEW;
        }
        if (correlation <= newest - SIZE || correlation <= 0) {
            return Seen.TOO_OLD;
        }
        return correlation <= floor || isSet(correlation) ? Seen.APPLIED : Seen.NEW;
    }

    /** Notes that the command with that correlation, which {@link #lookUp} called new, is applied. */
    void mark(long correlation) {
        if (correlation == newest + 1 && floor == newest) {
            newest++;
            floor++;
            return;
        }
        if (correlation > newest) {
            slideTo(correlation);
        }
        bits[word(correlation)] |= 1L << correlation;
        raiseFloor();
    }

    private void slideTo(long correlation) {
        if (correlation - SIZE >= newest) {
            Arrays.fill(bits, 0);
            floor = correlation - SIZE;
        } else {
            while (floor < correlation - SIZE) {
                floor++;
                clear(floor);
            }
        }
        newest = correlation;
        if (newest - floor > (long) bits.length * Long.SIZE) {
            grow();
        }
    }

    private void raiseFloor() {
        while (floor < newest && isSet(floor + 1)) {
            floor++;
            clear(floor);
        }
    }

    private void grow() {
        long[] old = bits;
        bits = new long[Math.max(1, Integer.highestOneBit((int) (newest - floor - 1) / Long.SIZE) * 2)];
        for (int word = 0; word < old.length; word++) {
            for (long left = old[word]; left != 0; left &= left - 1) {
                // The only correlation above the floor that has this place in the old bitmap.
                long place = (long) word * Long.SIZE + Long.numberOfTrailingZeros(left);
                long correlation = floor + 1 + ((place - floor - 1) & ((long) old.length * Long.SIZE - 1));
                bits[word(correlation)] |= 1L << correlation;
            }
        }
    }

    /** Writes the window. */
    void save(StateOutput to) {
        to.writeLong(floor);
        to.writeLong(newest);
        to.writeInt(floor == newest ? 0 : bits.length);
        for (int word = 0; floor < newest && word < bits.length; word++) {
            to.writeLong(bits[word]);
        }
    }

    /** Reads what {@link #save} has written. */
    void load(StateInput from) {
        floor = from.readLong();
        newest = from.readLong();
        int words = from.readInt();
        if (floor < 0
                || newest < floor
                || newest - floor > SIZE
                || words < 0
                || words > SIZE / Long.SIZE
                || Integer.bitCount(words) > 1
                || newest - floor > (long) words * Long.SIZE) {
            throw new StateFormatException(
                    "a window from " + floor + " to " + newest + " in " + words + " words cannot be");
        }
        bits = new long[words];
        for (int word = 0; word < words; word++) {
            bits[word] = from.readLong();
        }
    }

    private boolean isSet(long correlation) {
        return (bits[word(correlation)] & 1L << correlation) != 0;
    }

    private void clear(long correlation) {
        if (bits.length > 0) {
            bits[word(correlation)] &= ~(1L << correlation);
        }
    }

    private int word(long correlation) {
        return (int) (correlation >>> 6) & (bits.length - 1);
    }
}
