package io.slipstream.core.ring;

import io.slipstream.core.memory.PaddedLong;
import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * One thread's way to publish with try-with-resources: what is not published when the block ends, is aborted.
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

    EventClaim(RingBuffer<E> ring) {
        this.ring = ring;
    }

    /** Claims an event, waiting for room if there is none. */
    public EventClaim<E> claim() {
        requireNone();
        long claimed = ring.claim();
        sequence.setPlain(claimed);
        return this;
    }

    /** Claims an event if there is room, or returns null, which try-with-resources accepts. */
    public @Nullable EventClaim<E> tryClaim() {
        requireNone();
        long claimed = ring.tryClaim();
        sequence.setPlain(claimed);
        return claimed < 0 ? null : this;
    }

    /** Claims an event, waiting at most {@code limit}; returns null if there was no room in that time. */
    public @Nullable EventClaim<E> tryClaim(Duration limit) {
        requireNone();
        long claimed = ring.tryClaim(1, limit);
        sequence.setPlain(claimed);
        return claimed < 0 ? null : this;
    }

    /** Returns the claimed event. */
    public E event() {
        return ring.get(requireClaimed());
    }

    /** Returns the position of the claimed event. */
    public long sequence() {
        return requireClaimed();
    }

    /** Publishes the event; {@link #close} then has nothing left to do. */
    public void publish() {
        long claimed = requireClaimed();
        sequence.setPlain(Ring.NO_ROOM);
        ring.publish(claimed);
    }

    /** Aborts the claim if it was not published. */
    @Override
    public void close() {
        long claimed = sequence.getPlain();
        if (claimed >= 0) {
            sequence.setPlain(Ring.NO_ROOM);
            ring.abort(claimed);
        }
    }

    private long requireClaimed() {
        if (sequence.getPlain() < 0) {
            throw new IllegalStateException("nothing is claimed; call claim() first, and do not use a claim after publish()");
        }
        return sequence.getPlain();
    }

    private void requireNone() {
        if (sequence.getPlain() >= 0) {
            throw new IllegalStateException("the claim of event " + sequence.getPlain() + " is still open; publish or close it first");
        }
    }
}
