package io.slipstream.log.event;

/**
 * Tells the messages that come again as the same object, as a literal does, from texts that a program makes up anew for
 * each call. It keeps no message, only a number for each; whoever is pushed out begins anew. Any thread may ask:
 * threads that meet may lose a count, which only makes a message wait for its number a little longer.
 */
final class Sightings {
    /** How often an object has to come. */
    static final int OFTEN = 4;

    private static final int WAYS = 4;
    private static final int SETS = 1024;
    private static final int COUNT_BITS = 8;
    private static final long COUNT_MASK = (1 << COUNT_BITS) - 1;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private final long[] entries = new long[SETS * WAYS];
    private int victim;

    Sightings() {}

    /** Counts a message of the table with that number; returns whether it has come often enough. */
    boolean isOften(String message, int table) {
        long hash = (System.identityHashCode(message) ^ (long) message.hashCode() << 32) + table * MIX;
        hash = (hash ^ hash >>> 32) * MIX;
        hash ^= hash >>> 29;
        long key = hash & ~COUNT_MASK;
        int from = (int) (hash >>> 52 & SETS - 1) * WAYS;
        for (int i = from; i < from + WAYS; i++) {
            long entry = entries[i];
            if ((entry & ~COUNT_MASK) == key) {
                long count = (entry & COUNT_MASK) + 1;
                if (count >= OFTEN) {
                    return true;
                }
                entries[i] = key | count;
                return false;
            }
        }
        entries[from + (victim++ & WAYS - 1)] = key | 1;
        return false;
    }
}
