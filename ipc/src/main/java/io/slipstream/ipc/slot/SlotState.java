package io.slipstream.ipc.slot;

/**
 * The word that a slot begins with.
 *
 * <pre>
 *    63                       8   7        3..0
 *   +--------------------------+---------+------+
 *   | epoch: owners before     | dropped | kind |      kind 0: free
 *   +--------------------------+---------+------+
 * </pre>
 */
public final class SlotState {
    /** The kinds; a slot of another one is free or damaged. */
    public static final int PUBLISHER = 1;

    public static final int SUBSCRIBER = 2;
    public static final int OBSERVER = 3;
    public static final int PATIENT_OBSERVER = 4;

    public static final long KIND_MASK = 0xf;
    public static final long DROPPED = 0x80;
    private static final int EPOCH_SHIFT = 8;

    private SlotState() {}

    public static boolean isFree(long state) {
        return (state & KIND_MASK) == 0;
    }

    public static boolean isDropped(long state) {
        return (state & DROPPED) != 0;
    }

    /** Returns whether publishers wait for whoever has this state. */
    public static boolean isGating(long state) {
        long kind = state & (KIND_MASK | DROPPED);
        return kind == SUBSCRIBER || kind == PATIENT_OBSERVER;
    }

    public static boolean is(long state, int kind) {
        return (state & KIND_MASK) == kind;
    }

    public static long taken(long freed, int kind) {
        return epoch(freed) << EPOCH_SHIFT | kind;
    }

    public static long freed(long state) {
        return epoch(state) + 1 << EPOCH_SHIFT;
    }

    public static long epoch(long state) {
        return state >>> EPOCH_SHIFT;
    }
}
