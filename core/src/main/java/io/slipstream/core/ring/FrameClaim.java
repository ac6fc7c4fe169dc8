package io.slipstream.core.ring;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.memory.PaddedLong;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One thread's way to publish one frame, or several side by side, with try-with-resources: what is not published when
 * the block ends, is aborted.
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
    private final PaddedLong length = new PaddedLong(0);
    private final PaddedLong count = new PaddedLong(1);

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
        claimed(ring.claim(messageLength), messageLength, 1);
        return this;
    }

    /**
     * Claims room for {@code frames} side by side, with a message of {@code messageLength} bytes each, waiting until
     * there is some.
     *
     * @throws IllegalArgumentException as {@link FrameRing#claim(int, int)}
     * @throws IllegalStateException    if the claim before is still open
     * @throws RingFailedException      if a consumer has stopped, also while this waits
     */
    public FrameClaim claim(int messageLength, int frames) {
        requireNone();
        claimed(ring.claim(messageLength, frames), messageLength, frames);
        return this;
    }

    /** As {@link #claim}, but returns null if there is no room, which try-with-resources accepts. */
    public @Nullable FrameClaim tryClaim(int messageLength) {
        requireNone();
        return claimed(ring.tryClaim(messageLength), messageLength, 1);
    }

    /** As {@link #claim(int, int)}, but returns null if there is no room for all. */
    public @Nullable FrameClaim tryClaim(int messageLength, int frames) {
        requireNone();
        return claimed(ring.tryClaim(messageLength, frames), messageLength, frames);
    }

    /** As {@link #claim}, but waits at most {@code limit}; returns null if there was no room in that time. */
    public @Nullable FrameClaim tryClaim(int messageLength, Duration limit) {
        requireNone();
        return claimed(ring.tryClaim(messageLength, limit), messageLength, 1);
    }

    /**
     * As {@link #claim(int, int)}, but waits at most {@code limit}; returns null if there was no room for all in that
     * time.
     */
    public @Nullable FrameClaim tryClaim(int messageLength, int frames, Duration limit) {
        requireNone();
        return claimed(ring.tryClaim(messageLength, frames, limit), messageLength, frames);
    }

    private @Nullable FrameClaim claimed(long first, int messageLength, int frames) {
        position.setPlain(first);
        length.setPlain(messageLength);
        count.setPlain(frames);
        return first < 0 ? null : this;
    }

    /** Returns how many frames are claimed. */
    public int count() {
        requireClaimed();
        return (int) count.getPlain();
    }

    /** Returns the memory of the ring. */
    public MemorySegment memory() {
        return ring.memory();
    }

    /** Returns the offset in {@link #memory} of the first byte of the message, or of the first one. */
    public long offset() {
        return ring.offset(requireClaimed()) + Frame.HEADER_BYTES;
    }

    /**
     * Returns the offset in {@link #memory} of the first byte of one of the messages.
     *
     * @throws IndexOutOfBoundsException if {@code index} is not from 0 to {@link #count} - 1
     */
    public long offset(int index) {
        return offset()
                + (long) Objects.checkIndex(index, (int) count.getPlain()) * FrameRing.stride((int) length.getPlain());
    }

    /** Returns the position of the claimed frame, or of the first one. */
    public long position() {
        return requireClaimed();
    }

    /** Publishes all that is claimed, in one step; {@link #close} then has nothing left to do. */
    public void publish() {
        long claimed = requireClaimed();
        position.setPlain(Ring.NO_ROOM);
        int frames = (int) count.getPlain();
        if (frames == 1) {
            ring.publish(claimed);
        } else {
            ring.publish(claimed, (int) length.getPlain(), frames);
        }
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
            throw new IllegalStateException(
                    "nothing is claimed; call claim(length) first, and do not use a claim " + "after publish()");
        }
        return position.getPlain();
    }

    private void requireNone() {
        if (position.getPlain() >= 0) {
            throw new IllegalStateException(
                    "the claim at " + position.getPlain() + " is still open; publish or close it first");
        }
    }
}
