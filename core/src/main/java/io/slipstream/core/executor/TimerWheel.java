package io.slipstream.core.executor;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Tasks ordered by deadline, with constant time to add and to remove one: a hierarchy of wheels (Varghese and Lauck,
 * 1987).
 *
 * <pre>
 *   level 0   64 slots of one tick         what is due within the current 64 ticks
 *   level 1   64 slots of 64 ticks         what is due within the current 64 * 64 ticks
 *   ...                                    a slot that is reached spreads its tasks over the levels below
 *   level 7   the rest of 2^63 ns
 * </pre>
 *
 * A task stands on the level of the highest digit (in base 64) in which its tick differs from the current one. So slots
 * of a lower level are always due before those of a higher one, and a bit per slot finds the next in constant time. No
 * task is due early; it may be late by a tick. Not for several threads at a time.
 */
final class TimerWheel {
    /** One tick is 2^16 ns, about 66 microseconds. */
    static final int TICK_SHIFT = 16;

    private static final int LEVELS = 8;
    private static final int DIGIT_BITS = 6;
    private static final int SLOTS = 1 << DIGIT_BITS;
    private static final int NO_SLOT = -1;
    private static final int DUE = LEVELS * SLOTS;

    private final @Nullable ScheduledTask<?>[] heads;
    private final long[] occupied = new long[LEVELS];
    private long tick;
    private long additions;

    TimerWheel() {
        heads = new @Nullable ScheduledTask<?>[DUE + 1];
    }

    /** Makes the wheel agree with the task: one that is done is taken out, another one put in. */
    void reconcile(ScheduledTask<?> task) {
        boolean linked = task.slot != NO_SLOT;
        if (task.isDone()) {
            if (linked) {
                unlink(task);
            }
        } else if (!linked) {
            task.sequence = additions++;
            link(task);
        }
    }

    /** Takes every task whose deadline is not after {@code now} out and adds it to {@code target}, in no order. */
    void advance(long now, Collection<ScheduledTask<?>> target) {
        long nowTick = now >>> TICK_SHIFT;
        takeAll(DUE, target);
        while (true) {
            int level = lowestOccupied();
            if (level == LEVELS) {
                tick = Math.max(tick, nowTick);
                return;
            }
            int digit = Long.numberOfTrailingZeros(occupied[level]);
            long start = slotStart(level, digit);
            if (start > nowTick) {
                tick = Math.max(tick, nowTick);
                return;
            }
            tick = start;
            spread(level * SLOTS + digit);
            takeAll(DUE, target);
        }
    }

    /** Returns when {@link #advance} has something to do next, or {@link Long#MAX_VALUE} if it has not. */
    long nextNanos() {
        if (heads[DUE] != null) {
            return 0;
        }
        int level = lowestOccupied();
        return level == LEVELS
                ? Long.MAX_VALUE
                : slotStart(level, Long.numberOfTrailingZeros(occupied[level])) << TICK_SHIFT;
    }

    /** Takes every task out. */
    void removeAll(Collection<ScheduledTask<?>> target) {
        takeAll(DUE, target);
        for (int level = lowestOccupied(); level < LEVELS; level = lowestOccupied()) {
            takeAll(level * SLOTS + Long.numberOfTrailingZeros(occupied[level]), target);
        }
    }

    private int lowestOccupied() {
        int level = 0;
        while (level < LEVELS && occupied[level] == 0) {
            level++;
        }
        return level;
    }

    private long slotStart(int level, int digit) {
        int shift = level * DIGIT_BITS;
        long above = tick >>> shift + DIGIT_BITS << shift + DIGIT_BITS;
        return above | (long) digit << shift;
    }

    private void link(ScheduledTask<?> task) {
        long due = task.deadlineNanos() + (1L << TICK_SHIFT) - 1 >>> TICK_SHIFT;
        int slot = DUE;
        if (due > tick) {
            int level = (Long.SIZE - 1 - Long.numberOfLeadingZeros(due ^ tick)) / DIGIT_BITS;
            int digit = (int) (due >>> level * DIGIT_BITS) & SLOTS - 1;
            slot = level * SLOTS + digit;
            occupied[level] |= 1L << digit;
        }
        ScheduledTask<?> head = heads[slot];
        task.slot = slot;
        task.next = head;
        if (head != null) {
            head.previous = task;
        }
        heads[slot] = task;
    }

    private void unlink(ScheduledTask<?> task) {
        ScheduledTask<?> previous = task.previous;
        ScheduledTask<?> next = task.next;
        int slot = task.slot;
        if (next != null) {
            next.previous = previous;
        }
        if (previous != null) {
            previous.next = next;
        } else {
            heads[slot] = next;
            if (next == null) {
                clear(slot);
            }
        }
        forget(task);
    }

    private void spread(int slot) {
        ScheduledTask<?> task = heads[slot];
        heads[slot] = null;
        clear(slot);
        while (task != null) {
            ScheduledTask<?> next = task.next;
            forget(task);
            link(task);
            task = next;
        }
    }

    /** If {@code target} has no memory for a task, that one and those behind it stay. */
    private void takeAll(int slot, Collection<ScheduledTask<?>> target) {
        ScheduledTask<?> task;
        while ((task = heads[slot]) != null) {
            target.add(task);
            unlink(task);
        }
    }

    private void clear(int slot) {
        if (slot < DUE) {
            occupied[slot / SLOTS] &= ~(1L << slot % SLOTS);
        }
    }

    private static void forget(ScheduledTask<?> task) {
        task.slot = NO_SLOT;
        task.next = null;
        task.previous = null;
    }
}
