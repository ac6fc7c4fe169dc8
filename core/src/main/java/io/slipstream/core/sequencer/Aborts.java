package io.slipstream.core.sequencer;

import io.slipstream.core.sequence.Sequence;

/**
 * Which events of a ring were aborted. Aborts are rare, so that a consumer first compares with the highest of them and
 * looks at the marks only if that lies ahead.
 *
 * <p>A mark is written before the event is published and read after it was seen to be, so that the publication orders
 * both.
 */
public final class Aborts {
    /** Nothing has been aborted yet. */
    public static final Aborts NONE = new Aborts(1);

    private final long[] marks;
    private final Sequence end = new Sequence();

    public Aborts(int capacity) {
        marks = new long[capacity];
    }

    public void mark(long first, int count) {
        for (long sequence = first; sequence < first + count; sequence++) {
            marks[index(sequence)] = sequence + 1;
        }
        long seen;
        do {
            seen = end.getAcquire();
        } while (seen < first + count && !end.compareAndSet(seen, first + count));
    }

    /** Returns whether an event at or after {@code next} has been aborted. */
    public boolean reach(long next) {
        return end.getAcquire() > next;
    }

    public boolean contains(long sequence) {
        return marks[index(sequence)] == sequence + 1;
    }

    /** Returns the last event in {@code first..end-1} that was not aborted, or {@code first - 1} if all were. */
    public long lastKept(long first, long end) {
        long last = end - 1;
        while (last >= first && contains(last)) {
            last--;
        }
        return last;
    }

    private int index(long sequence) {
        return (int) sequence & (marks.length - 1);
    }
}
