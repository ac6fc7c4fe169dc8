package io.slipstream.core.ring;

import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.sequence.SequenceBarrier;
import io.slipstream.core.sequencer.Aborts;
import io.slipstream.core.sequencer.ClosedBarrier;
import io.slipstream.core.sequencer.RingBarrier;
import io.slipstream.core.thread.Patience;
import io.slipstream.core.thread.Sleepers;
import io.slipstream.core.thread.WaitStrategy;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * A consumer that runs when it is called: it takes what is there, up to a limit, and passes it.
 *
 * <p>One thread polls. Events that the visitor was given are passed also when it throws, the one that it threw on
 * included.
 *
 * @param <E> type of the events
 */
public final class EventPoller<E> implements AutoCloseable {
    private static final Patience WAITING = new Patience(WaitStrategy.backoff(), new Sleepers());

    private final RingBuffer<E> ring;
    private final BooleanSupplier mayGoOn;
    private RingBarrier barrier;
    private final Sequence sequence = new Sequence();

    EventPoller(RingBuffer<E> ring, SequenceBarrier barrier) {
        this.ring = ring;
        this.mayGoOn = () -> available(1) > 0 || ring.failure() != null;
        this.barrier = RingBarrier.of(barrier);
        ring.sequencer.followers().add(this.barrier.upstream());
        boolean added = false;
        try {
            ring.addGating(sequence, barrier);
            added = true;
        } finally {
            if (!added) {
                ring.sequencer.followers().remove(this.barrier.upstream());
            }
        }
    }

    /** Returns how far this consumer has come. */
    public Sequence sequence() {
        return sequence;
    }

    /**
     * Returns how many events could be passed now, as far as {@code most}; aborted ones are among them.
     *
     * @throws IllegalArgumentException if {@code most} is negative
     */
    public int available(int most) {
        requireNotNegative(most);
        long next = sequence.getPlain();
        return Math.clamp(barrier.available(next, most) - next, 0, most);
    }

    /**
     * Hands at most {@code most} events to {@code visitor}.
     *
     * <p>Aborted events are passed on the way and do not count, so 0 means that nothing is there, and a thread may
     * wait.
     *
     * @return how many events it was given
     * @throws IllegalArgumentException if {@code most} is negative
     * @throws IllegalStateException    if nothing is there, on the thread of a stage of the ring's graph that sleeps
     *                                  until it is woken, which nobody would do for this poller: make a stage of what
     *                                  polls
     */
    public int poll(EventVisitor<? super E> visitor, int most) throws Exception {
        requireNotNegative(most);
        while (true) {
            long first = sequence.getPlain();
            long end = Math.min(barrier.available(first, most), first + most);
            if (end <= first) {
                ring.sequencer.requireNoSleepingStage();
                return 0;
            }
            Aborts aborts = ring.aborts();
            if (!aborts.reach(first)) {
                return pollAll(visitor, first, end);
            }
            int count = pollAmongAborts(visitor, first, end, aborts);
            if (count > 0) {
                return count;
            }
        }
    }

    /**
     * Hands at most {@code most} events to {@code visitor}, waiting for the first one for at most {@code limit}. The
     * thread spins, yields and then sleeps for up to a millisecond at a time; nobody wakes it. What wakes at once is a
     * stage of a graph, or a duty of a worker.
     *
     * @return how many events it was given; 0 when the time is over, or at once when all was read and the ring takes
     *         nothing any more
     * @throws InterruptedException if the thread was interrupted while it waited
     */
    public int poll(EventVisitor<? super E> visitor, int most, Duration limit) throws Exception {
        long nanos = Patience.nanos(Objects.requireNonNull(limit, "limit"));
        long begin = System.nanoTime();
        while (true) {
            boolean ended = ring.failure() != null;
            int count = poll(visitor, most);
            long left = nanos == Patience.FOREVER_NANOS ? nanos : nanos - (System.nanoTime() - begin);
            if (count > 0 || most == 0 || ended || left <= 0 || !WAITING.await(mayGoOn, left)) {
                return count;
            }
        }
    }

    private static void requireNotNegative(int most) {
        if (most < 0) {
            throw new IllegalArgumentException("the number of events must not be negative, but is " + most);
        }
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
     * Makes publishers wait for this consumer no more; polling then throws an {@link IllegalStateException}. For the
     * thread that polls, or for others when it has ended. Again it does nothing.
     *
     * @throws IllegalStateException if another poller is behind this one and the ring has not failed: close that one
     *                               first
     */
    @Override
    public void close() {
        if (barrier instanceof ClosedBarrier) {
            return;
        }
        if (!ring.sequencer.followers().tryEnd(sequence) && ring.failure() == null) {
            throw new IllegalStateException("another poller is behind this one, which stands at " + sequence
                    + ", and would see nothing more; close that one first");
        }
        ring.sequencer.followers().remove(barrier.upstream());
        barrier = new ClosedBarrier();
        ring.removeGating(sequence);
    }
}
