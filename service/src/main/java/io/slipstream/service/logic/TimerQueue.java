package io.slipstream.service.logic;

import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.util.Arrays;

/**
 * Timers by log time: which of them is due next, and each one by its id. Nothing is allocated once it has grown.
 *
 * <p>A binary heap of slots, ordered by deadline and then by the order in which they were set, so that timers fire in
 * the same order at every replay. A table with open addressing and linear probing finds the slot of an id; a removal
 * shifts back what lies behind it.
 */
final class TimerQueue {
    private static final int FIRST_CAPACITY = 16;
    private static final int EMPTY = -1;

    /* By slot; slots up to count are the heap. */
    private long[] ids = new long[FIRST_CAPACITY];
    private long[] deadlines = new long[FIRST_CAPACITY];
    private long[] orders = new long[FIRST_CAPACITY];
    private int count;

    /* Open addressing: the slot of the id that hashes here, or EMPTY. */
    private int[] table = emptyTable(2 * FIRST_CAPACITY);
    private long nextOrder;

    /* What is set during the present entry has this order at least, and is due at this time at the earliest. */
    private long firstNewOrder = Long.MAX_VALUE;
    private long notBefore = Long.MIN_VALUE;

    /**
     * Begins an entry: a timer that is set from here on is not due before {@code nanos}, and fires in a later entry. So
     * one that always sets itself again for the present time ends no entry later, and overtakes no other.
     */
    void beginEntry(long nanos) {
        firstNewOrder = nextOrder;
        notBefore = nanos;
    }

    /** Returns whether a timer is due at {@code nanos} that may fire in the present entry. */
    boolean isDue(long nanos) {
        return count > 0 && deadlines[0] <= nanos && orders[0] < firstNewOrder;
    }

    /** Sets a timer, or moves the one with that id to a new deadline. */
    void set(long id, long wantedNanos) {
        long deadlineNanos = Math.max(wantedNanos, notBefore);
        int at = find(id);
        if (table[at] != EMPTY) {
            int slot = table[at];
            deadlines[slot] = deadlineNanos;
            orders[slot] = nextOrder++;
            sink(rise(slot));
            return;
        }
        if (count == ids.length) {
            grow();
            at = find(id);
        }
        int slot = count++;
        ids[slot] = id;
        deadlines[slot] = deadlineNanos;
        orders[slot] = nextOrder++;
        table[at] = slot;
        rise(slot);
    }

    /** Removes the timer with that id; returns whether there was one. */
    boolean cancel(long id) {
        int at = find(id);
        if (table[at] == EMPTY) {
            return false;
        }
        remove(at);
        return true;
    }

    /** Returns how many timers are set. */
    int count() {
        return count;
    }

    /** Returns the deadline of the timer that is due next, or {@link Long#MAX_VALUE} if there is none. */
    long nextDeadline() {
        return count == 0 ? Long.MAX_VALUE : deadlines[0];
    }

    /** Removes the timer that is due next and returns its id; there must be one. */
    long removeNext() {
        long id = ids[0];
        remove(find(id));
        return id;
    }

    /** Hands out all timers in the order in which they would fire among equals; see {@link #set}. */
    void save(StateOutput to) {
        Integer[] byOrder = new Integer[count];
        Arrays.setAll(byOrder, slot -> slot);
        Arrays.sort(byOrder, (a, b) -> Long.compare(orders[a], orders[b]));
        to.writeInt(count);
        for (int slot : byOrder) {
            to.writeLong(ids[slot]);
            to.writeLong(deadlines[slot]);
        }
    }

    /** Sets the timers that {@link #save} has written, in place of those that are there. */
    void load(StateInput from) {
        count = 0;
        Arrays.fill(table, EMPTY);
        int saved = from.readInt();
        for (int i = 0; i < saved; i++) {
            long id = from.readLong();
            set(id, from.readLong());
        }
    }

    private void remove(int at) {
        int slot = table[at];
        clear(at);
        int last = --count;
        if (slot != last) {
            move(last, slot);
            sink(rise(slot));
        }
    }

    /** Empties a place of the table and closes the gap: what probed past it moves back. */
    private void clear(int at) {
        int mask = table.length - 1;
        int gap = at;
        for (int next = (at + 1) & mask; table[next] != EMPTY; next = (next + 1) & mask) {
            int home = home(ids[table[next]]);
            if (((next - home) & mask) >= ((next - gap) & mask)) {
                table[gap] = table[next];
                gap = next;
            }
        }
        table[gap] = EMPTY;
    }

    private int rise(int from) {
        int slot = from;
        while (slot > 0 && isBefore(slot, (slot - 1) / 2)) {
            swap(slot, (slot - 1) / 2);
            slot = (slot - 1) / 2;
        }
        return slot;
    }

    private void sink(int from) {
        int slot = from;
        while (true) {
            int child = 2 * slot + 1;
            if (child >= count) {
                return;
            }
            if (child + 1 < count && isBefore(child + 1, child)) {
                child++;
            }
            if (!isBefore(child, slot)) {
                return;
            }
            swap(slot, child);
            slot = child;
        }
    }

    private boolean isBefore(int slot, int other) {
        return deadlines[slot] < deadlines[other]
                || (deadlines[slot] == deadlines[other] && orders[slot] < orders[other]);
    }

    private void swap(int slot, int other) {
        long id = ids[slot];
        long deadline = deadlines[slot];
        long order = orders[slot];
        int place = find(id);
        int otherPlace = find(ids[other]);
        ids[slot] = ids[other];
        deadlines[slot] = deadlines[other];
        orders[slot] = orders[other];
        ids[other] = id;
        deadlines[other] = deadline;
        orders[other] = order;
        table[place] = other;
        table[otherPlace] = slot;
    }

    private void move(int from, int to) {
        table[find(ids[from])] = to;
        ids[to] = ids[from];
        deadlines[to] = deadlines[from];
        orders[to] = orders[from];
    }

    /** Returns where in the table that id is, or the empty place where it belongs. */
    private int find(long id) {
        int mask = table.length - 1;
        int at = home(id);
        while (table[at] != EMPTY && ids[table[at]] != id) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private int home(long id) {
        long hash = id * 0x9E37_79B9_7F4A_7C15L;
        return (int) (hash >>> 32) & (table.length - 1);
    }

    private void grow() {
        int capacity = 2 * ids.length;
        ids = Arrays.copyOf(ids, capacity);
        deadlines = Arrays.copyOf(deadlines, capacity);
        orders = Arrays.copyOf(orders, capacity);
        table = emptyTable(2 * capacity);
        for (int slot = 0; slot < count; slot++) {
            table[find(ids[slot])] = slot;
        }
    }

    private static int[] emptyTable(int length) {
        int[] table = new int[length];
        Arrays.fill(table, EMPTY);
        return table;
    }
}
