package io.slipstream.core.ring;

import io.slipstream.core.memory.PaddedLong;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.time.Duration;

/**
 * One thread's way to publish with try-with-resources: what is not published when the block ends, is aborted.
 *
 * <pre>{@code
 * FrameClaim claims = ring.newClaim();                     // once a thread
 * try (var claim = claims.claim(16)) {
 *     claim.memory().set(LONG, claim.offset(), price);
 *     claim.publish();
 * }
 * }</pre>
 *
 * <p>The same object is used for every claim, so nothing is allocated. Owned by one thread; one claim at a time.
 */
public final class FrameClaim implements AutoCloseable {
    private final FrameRing ring;
    private final PaddedLong position = new PaddedLong(Ring.NO_ROOM);

    FrameClaim(FrameRing ring) {
        this.ring = ring;
    }

    /**
     * Claims room for a message, waiting until there is some.
     *
     * @throws IllegalArgumentException if the message is longer than {@link FrameRing#maxMessageLength} or negative
     * @throws IllegalStateException    if the claim before is still open
     * @throws RingFailedException      if a consumer has stopped, also while this waits
     */
    public FrameClaim claim(int messageLength) {
        requireNone();
        long claimed = ring.claim(messageLength);
        position.setPlain(claimed);
        return this;
    }

    /** As {@link #claim}, but returns null if there is no room, which try-with-resources accepts. */
    public @Nullable FrameClaim tryClaim(int messageLength) {
        requireNone();
        long claimed = ring.tryClaim(messageLength);
        position.setPlain(claimed);
        return claimed < 0 ? null : this;
    }

    /** As {@link #claim}, but waits at most {@code limit}; returns null if there was no room in that time. */
    public @Nullable FrameClaim tryClaim(int messageLength, Duration limit) {
        requireNone();
        long claimed = ring.tryClaim(messageLength, limit);
        position.setPlain(claimed);
        return claimed < 0 ? null : this;
    }

    /** Returns the memory of the ring. */
    public MemorySegment memory() {
        return ring.memory();
    }

    /** Returns the offset in {@link #memory} of the first byte of the message. */
    public long offset() {
        return ring.offset(requireClaimed()) + Frame.HEADER_BYTES;
    }

    /** Returns the position of the claimed frame. */
    public long position() {
        return requireClaimed();
    }

    /** Publishes the frame; {@link #close} then has nothing left to do. */
    public void publish() {
        long claimed = requireClaimed();
        position.setPlain(Ring.NO_ROOM);
        ring.publish(claimed);
    }

    /** Aborts the claim if it was not published. */
    @Override
    public void close() {
        long claimed = position.getPlain();
        if (claimed >= 0) {
            position.setPlain(Ring.NO_ROOM);
            ring.abort(claimed);
        }
    }

    private long requireClaimed() {
        if (position.getPlain() < 0) {
            throw new IllegalStateException("nothing is claimed; call claim(length) first, and do not use a claim after publish()");
        }
        return position.getPlain();
    }

    private void requireNone() {
        if (position.getPlain() >= 0) {
            throw new IllegalStateException("the claim at " + position.getPlain() + " is still open; publish or close it first");
        }
    }
}
