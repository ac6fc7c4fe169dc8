package io.slipstream.ipc.frame;

import io.slipstream.core.frame.Frame;

/**
 * The word beside a place of a ring with many publishers: whose it is in which lap, how long, and how far it has come.
 *
 * <pre>
 *    63            34   33           8   7      2   1   0
 *   +----------------+----------------+----------+-------+
 *   | lap (30 bits)  | units of 16 B  | owner    | phase |      phase 0: never claimed
 *   +----------------+----------------+----------+-------+
 * </pre>
 *
 * <p>One compare-and-set takes the place, says who did and how far the claim goes. So whoever finds the owner dead
 * knows its hole. A stamp of another lap means "free". Payload never lies where a stamp is, so what a stamp says was
 * written as a stamp.
 */
public final class Stamp {
    public static final int CLAIMED = 1;
    public static final int PUBLISHED = 2;
    public static final int SKIPPED = 3;

    public static final int UNIT_SHIFT = Integer.numberOfTrailingZeros(Frame.ALIGNMENT);
    private static final int OWNER_SHIFT = 2;
    private static final int UNITS_SHIFT = 8;
    private static final int LAP_SHIFT = 34;
    private static final long LAP_MASK = (1L << 30) - 1;

    private Stamp() {}

    public static long of(long lap, int bytes, int owner, int phase) {
        return (lap & LAP_MASK) << LAP_SHIFT
                | (long) (bytes >> UNIT_SHIFT) << UNITS_SHIFT
                | (long) owner << OWNER_SHIFT
                | phase;
    }

    public static boolean isOf(long stamp, long lap) {
        return (stamp & 3) != 0 && stamp >>> LAP_SHIFT == (lap & LAP_MASK);
    }

    public static int phase(long stamp) {
        return (int) stamp & 3;
    }

    public static int owner(long stamp) {
        return (int) (stamp >> OWNER_SHIFT) & 63;
    }

    public static int bytes(long stamp) {
        return (int) (stamp >> UNITS_SHIFT & (1 << 26) - 1) << UNIT_SHIFT;
    }

    public static long with(long stamp, int phase) {
        return stamp & ~3L | phase;
    }
}
