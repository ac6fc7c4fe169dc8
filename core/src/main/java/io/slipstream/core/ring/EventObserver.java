package io.slipstream.core.ring;

import java.lang.invoke.VarHandle;

/**
 * A consumer that never holds publishers up: the oldest events are overwritten while it lags, and it counts what it missed.
 *
 * <p>It copies an event and then makes sure that no publisher was entitled to overwrite it meanwhile: publishers raise the
 * ring's limit, by at most a quarter of the ring at a time, before they write. So an observer can lag by about three quarters of
 * the ring. Of a ring without gating consumers all consumers are observers, and its publishers never wait.
 *
 * <p>Owned by one thread. The algorithm is that of a sequence lock; see Boehm, "Can Seqlocks Get Along with Programming
 * Language Memory Models?" (2012).
 *
 * @param <E> type of the events
 */
public final class EventObserver<E> {
    private final RingBuffer<E> ring;
    private final SequenceBarrier published;
    private long next;
    private long missed;

    EventObserver(RingBuffer<E> ring) {
        this.ring = ring;
        this.published = ring.newBarrier();
        this.next = ring.claimed();
    }

    /** Returns the position of the next event. */
    public long next() {
        return next;
    }

    /** Returns how many events were overwritten before they could be copied. */
    public long missed() {
        return missed;
    }

    /**
     * Copies the next event to {@code target}.
     *
     * @return whether {@code target} holds a whole event; if not, nothing new has been published
     */
    public <T> boolean poll(EventCopier<? super E, ? super T> copier, T target) {
        while (true) {
            skipOverwritten();
            if (published.available(next, 1) <= next) {
                if (!isOverwritten(next)) {
                    return false;
                }
                continue;
            }
            long sequence = next;
            Aborts aborts = ring.aborts();
            boolean aborted = aborts.reach(sequence) && aborts.contains(sequence);
            copier.copy(ring.get(sequence), target);
            VarHandle.loadLoadFence();
            if (!isOverwritten(sequence)) {
                next = sequence + 1;
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
        if (next < oldest) {
            missed += oldest - next;
            next = oldest;
        }
    }
}
