package io.slipstream.core.ring;

import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.sequence.SequenceBarrier;
import io.slipstream.core.sequencer.Aborts;
import io.slipstream.core.sequencer.ClosedBarrier;
import io.slipstream.core.sequencer.RingBarrier;

/**
 * A consumer that runs when it is called: it takes what is there, up to a limit, and passes it.
 *
 * <p>One thread polls. Events that the visitor was given are passed also when it throws, the one that it threw on included.
 *
 * @param <E> type of the events
 */
public final class EventPoller<E> implements AutoCloseable {
    private final RingBuffer<E> ring;
    private RingBarrier barrier;
    private final Sequence sequence = new Sequence();

    EventPoller(RingBuffer<E> ring, SequenceBarrier barrier) {
        this.ring = ring;
        this.barrier = RingBarrier.of(barrier);
        ring.addGating(sequence, barrier);
    }

    /** Returns how far this consumer has come. */
    public Sequence sequence() {
        return sequence;
    }

    /**
     * Returns how many events could be taken now, as far as {@code most}.
     *
     * @throws IllegalArgumentException if {@code most} is negative
     */
    public int available(int most) {
        if (most < 0) {
            throw new IllegalArgumentException("at most 0 events or more can be asked for, not " + most);
        }
        long next = sequence.getPlain();
        return Math.clamp(barrier.available(next, most) - next, 0, most);
    }

    /**
     * Hands at most {@code most} events to {@code visitor}.
     *
     * @return how many events it was given
     */
    public int poll(EventVisitor<? super E> visitor, int most) throws Exception {
        long first = sequence.getPlain();
        long end = Math.min(barrier.available(first, most), first + most);
        if (end <= first) {
            return 0;
        }
        Aborts aborts = ring.aborts();
        return aborts.reach(first) ? pollAmongAborts(visitor, first, end, aborts) : pollAll(visitor, first, end);
    }

    private int pollAll(EventVisitor<? super E> visitor, long first, long end) throws Exception {
        long next = first;
        try {
            boolean more = true;
            while (more && next < end) {
                long at = next++;
                more = visitor.onEvent(ring.get(at), at, next == end);
            }
        } finally {
            pass(next);
        }
        return (int) (next - first);
    }

    private int pollAmongAborts(EventVisitor<? super E> visitor, long first, long end, Aborts aborts) throws Exception {
        long last = aborts.lastKept(first, end);
        long next = first;
        int count = 0;
        try {
            boolean more = true;
            while (more && next <= last) {
                long at = next++;
                if (!aborts.contains(at)) {
                    count++;
                    more = visitor.onEvent(ring.get(at), at, at == last);
                }
            }
            if (more) {
                next = end;
            }
        } finally {
            pass(next);
        }
        return count;
    }

    private void pass(long next) {
        sequence.setRelease(next);
        ring.roomMade();
    }

    /**
     * Makes publishers wait for this consumer no more; polling then throws an {@link IllegalStateException}. For the thread that polls, or for
     * others when it has ended.
     */
    @Override
    public void close() {
        barrier = new ClosedBarrier();
        ring.removeGating(sequence);
    }
}
