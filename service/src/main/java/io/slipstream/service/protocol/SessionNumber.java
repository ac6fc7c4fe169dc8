package io.slipstream.service.protocol;

/**
 * The number of a session: unique for ever, and its lowest bits are a slot, so that finding the session takes no
 * search.
 */
public final class SessionNumber {
    /** How many slots there are, which is the most sessions that a service may remember. */
    public static final int SLOTS = 1 << 12;

    private SessionNumber() {
    }

    /** Returns the number of a session that the log entry at {@code sequence} opens in {@code slot}. */
    public static long of(long sequence, int slot) {
        return sequence * SLOTS + slot;
    }

    /** Returns the slot of a session. */
    public static int slot(long session) {
        return (int) (session & (SLOTS - 1));
    }
}
