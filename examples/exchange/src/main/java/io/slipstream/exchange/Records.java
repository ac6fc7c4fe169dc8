package io.slipstream.exchange;

/**
 * The memory of an exchange: one array of numbers that holds all orders and all price levels as records, and the lists
 * that run through them.
 *
 * <p>A reference is the place of a record's first word. That word links a record to its neighbours in a ring:
 *
 * <pre>
 *      level            order            order
 *   +-----------+    +-----------+    +-----------+
 *   | next:prev | <> | next:prev | <> | next:prev | <> (the level again)
 *   +-----------+    +-----------+    +-----------+
 * </pre>
 *
 * A level is in its own ring, even when it is empty, so that no link is ever missing and adding or removing an order
 * needs no case distinctions: what can be foreseen neither by the reader nor by the processor costs both most.
 *
 * <p>Numbers instead of objects, so that a collector finds nothing to trace and links can change without a barrier.
 */
final class Records {
    private static final long LOW = 0xFFFF_FFFFL;

    private final long[] words;

    Records(int length) {
        this.words = new long[length];
    }

    long get(int record, int field) {
        return words[record + field];
    }

    void set(int record, int field, long value) {
        words[record + field] = value;
    }

    void add(int record, int field, long value) {
        words[record + field] += value;
    }

    int next(int record) {
        return (int) (words[record] >>> 32);
    }

    int previous(int record) {
        return (int) words[record];
    }

    /** Makes a record a ring of its own. */
    void isolate(int record) {
        words[record] = (long) record << 32 | record;
    }

    /** Puts a record into the ring of another one, before it: at the end, as seen from that one. */
    void insertBefore(int head, int record) {
        int last = previous(head);
        words[record] = (long) head << 32 | last;
        words[last] = words[last] & LOW | (long) record << 32;
        words[head] = words[head] & ~LOW | record;
    }

    /** Takes a record out of its ring. Its own links stay as they were. */
    void remove(int record) {
        int next = next(record);
        int previous = previous(record);
        words[previous] = words[previous] & LOW | (long) next << 32;
        words[next] = words[next] & ~LOW | previous;
    }
}
