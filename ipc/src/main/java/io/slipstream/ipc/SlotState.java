package io.slipstream.ipc;

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
final class SlotState {
    static final long KIND_MASK = 0xf;
    static final long DROPPED = 0x80;
    private static final int EPOCH_SHIFT = 8;

    private SlotState() {
    }

    static boolean isFree(long state) {
        return (state & KIND_MASK) == 0;
    }

    static boolean isDropped(long state) {
        return (state & DROPPED) != 0;
    }

    /** Returns whether publishers wait for whoever has this state. */
    static boolean isGating(long state) {
        long kind = state & (KIND_MASK | DROPPED);
        return kind == PartyKind.SUBSCRIBER.code() || kind == PartyKind.PATIENT_OBSERVER.code();
    }

    static boolean is(long state, PartyKind kind) {
        return (state & KIND_MASK) == kind.code();
    }

    static long taken(long freed, PartyKind kind) {
        return epoch(freed) << EPOCH_SHIFT | kind.code();
    }

    static long freed(long state) {
        return epoch(state) + 1 << EPOCH_SHIFT;
    }

    static long epoch(long state) {
        return state >>> EPOCH_SHIFT;
    }
}
