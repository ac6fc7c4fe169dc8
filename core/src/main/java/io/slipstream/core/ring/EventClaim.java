package io.slipstream.core.ring;

import io.slipstream.core.memory.PaddedLong;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One thread's way to publish one event, or several side by side, with try-with-resources: what is not published when
 * the block ends, is aborted.
 *
 * <pre>{@code
 * EventClaim<Order> claims = ring.newClaim();            // once a thread
 * try (var claim = claims.claim()) {
 *     claim.event().price = price;
 *     claim.publish();
 * }
 * }</pre>
 *
 * <p>The same object is used for every claim, so nothing is allocated. Owned by one thread; one claim at a time.
 *
 * @param <E> type of the events
 */
public final class EventClaim<E> implements AutoCloseable {
    private final RingBuffer<E> ring;
    private final PaddedLong sequence = new PaddedLong(Ring.NO_ROOM);
    private final PaddedLong count = new PaddedLong(0);

    EventClaim(RingBuffer<E> ring) {
        this.ring = ring;
    }

    /**
     * Claims an event, waiting for room if there is none.
     *
     * @throws IllegalStateException if the claim before is still open
     * @throws RingFailedException   if a consumer has stopped, also while this waits
     */
    public EventClaim<E> claim() {
        requireNone();
        claimed(ring.claim(), 1);
        return this;
    }

    /**
     * Claims {@code events} side by side, waiting for room if there is not enough.
     *
     * @throws IllegalArgumentException if {@code events} is not from 1 to the ring's capacity
     * @throws IllegalStateException    if the claim before is still open
     * @throws RingFailedException      if a consumer has stopped, also while this waits
     */
    public EventClaim<E> claim(int events) {
        requireNone();
        claimed(ring.claim(events), events);
        return this;
    }

    /** As {@link #claim()}, but returns null if there is no room, which try-with-resources accepts. */
    public @Nullable EventClaim<E> tryClaim() {
        requireNone();
        return claimed(ring.tryClaim(), 1);
    }

    /** As {@link #claim(int)}, but returns null if there is no room for all. */
    public @Nullable EventClaim<E> tryClaim(int events) {
        requireNone();
        return claimed(ring.tryClaim(events), events);
    }

    /** As {@link #claim()}, but waits at most {@code limit}; returns null if there was no room in that time. */
    public @Nullable EventClaim<E> tryClaim(Duration limit) {
        return tryClaim(1, limit);
    }

    /**
     * As {@link #claim(int)}, but waits at most {@code limit}; returns null if there was no room for all in that time.
     */
    public @Nullable EventClaim<E> tryClaim(int events, Duration limit) {
        requireNone();
        return claimed(ring.tryClaim(events, limit), events);
    }

    private @Nullable EventClaim<E> claimed(long first, int events) {
        sequence.setPlain(first);
        count.setPlain(events);
        return first < 0 ? null : this;
    }

    /** Returns how many events are claimed. */
    public int count() {
        requireClaimed();
        return (int) count.getPlain();
    }

    /** Returns the claimed event, or the first one. */
    public E event() {
        return ring.get(requireClaimed());
    }

    /**
     * Returns one of the claimed events.
     *
     * @throws IndexOutOfBoundsException if {@code index} is not from 0 to {@link #count} - 1
     */
    public E event(int index) {
        long first = requireClaimed();
        return ring.get(first + Objects.checkIndex(index, (int) count.getPlain()));
    }

    /** Returns the position of the claimed event, or of the first one. */
    public long sequence() {
        return requireClaimed();
    }

    /** Publishes all that is claimed, in one step; {@link #close} then has nothing left to do. */
    public void publish() {
        long claimed = requireClaimed();
        sequence.setPlain(Ring.NO_ROOM);
        ring.publish(claimed, (int) count.getPlain());
    }

    /** Aborts the claim if it was not published. */
    @Override
    public void close() {
        long claimed = sequence.getPlain();
        if (claimed >= 0) {
            sequence.setPlain(Ring.NO_ROOM);
            ring.abort(claimed, (int) count.getPlain());
        }
    }

    private long requireClaimed() {
        if (sequence.getPlain() < 0) {
            throw new IllegalStateException(
                    "nothing is claimed; call claim() first, and do not use a claim after " + "publish()");
        }
        return sequence.getPlain();
    }

    private void requireNone() {
        if (sequence.getPlain() >= 0) {
            throw new IllegalStateException(
                    "the claim of event " + sequence.getPlain() + " is still open; publish or close it first");
        }
    }
}
