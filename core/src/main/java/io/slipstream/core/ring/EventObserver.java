package io.slipstream.core.ring;

import io.slipstream.core.memory.PaddedLong;
import io.slipstream.core.sequence.SequenceBarrier;
import io.slipstream.core.sequencer.Aborts;
import java.lang.invoke.VarHandle;

/**
 * A consumer that never holds publishers up: the oldest events are overwritten while it lags, and it counts what it
 * missed.
 *
 * <p>It copies an event and then makes sure that no publisher was entitled to overwrite it meanwhile: publishers raise
 * the ring's limit, by at most a quarter of the ring at a time, before they write. So an observer can lag by about
 * three quarters of the ring. Of a ring without gating consumers all consumers are observers, and its publishers wait
 * for nothing but a claim that has been open for a lap.
 *
 * <p>Owned by one thread. The algorithm is that of a sequence lock; see Boehm, "Can Seqlocks Get Along with Programming
 * Language Memory Models?" (2012).
 *
 * @param <E> type of the events
 */
public final class EventObserver<E> {
    private final RingBuffer<E> ring;
    private final SequenceBarrier published;
    private final PaddedLong next;
    private final PaddedLong missed = new PaddedLong(0);

    EventObserver(RingBuffer<E> ring) {
        this.ring = ring;
        this.published = ring.newBarrier();
        this.next = new PaddedLong(ring.claimed());
    }

    /** Returns the position of the next event. */
    public long next() {
        return next.getPlain();
    }

    /** Returns how many events were overwritten before they could be copied. */
    public long missed() {
        return missed.getPlain();
    }

    /**
     * Copies the next event to {@code target}.
     *
     * @return whether {@code target} holds a whole event; if not, nothing new has been published
     */
    public <T> boolean poll(EventCopier<? super E, ? super T> copier, T target) {
        while (true) {
            skipOverwritten();
            long sequence = next.getPlain();
            if (published.available(sequence, 1) <= sequence) {
                if (!isOverwritten(sequence)) {
                    return false;
                }
                continue;
            }
            Aborts aborts = ring.aborts();
            boolean aborted = aborts.reach(sequence) && aborts.contains(sequence);
            copier.copy(ring.get(sequence), target);
            VarHandle.loadLoadFence();
            if (!isOverwritten(sequence)) {
                next.setPlain(sequence + 1);
                if (!aborted) {
                    return true;
                }
            }
        }
    }

    private boolean isOverwritten(long sequence) {
        return sequence < ring.sequencer.oldestKept();
    }

    private void skipOverwritten() {
        long oldest = ring.sequencer.oldestKept();
        long lost = oldest - next.getPlain();
        if (lost > 0) {
            missed.setPlain(missed.getPlain() + lost);
            next.setPlain(oldest);
        }
    }
}
