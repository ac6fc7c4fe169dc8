package io.slipstream.core.ring;

import static io.slipstream.core.sequencer.MultiSequencer.LEFT;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.frame.FrameWriter;
import io.slipstream.core.memory.Region;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.sequence.SequenceBarrier;
import io.slipstream.core.sequencer.FrameSequencer;
import io.slipstream.core.sequencer.MultiFrameSequencer;
import io.slipstream.core.sequencer.RingBarrier;
import io.slipstream.core.sequencer.RingFailure;
import io.slipstream.core.sequencer.SingleFrameSequencer;
import io.slipstream.core.thread.Patience;
import io.slipstream.core.thread.WaitStrategy;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Objects;

/**
 * A ring of frames of variable length.
 *
 * <p>A publisher claims contiguous room, writes its message and publishes or aborts; nobody claims before there is
 * room. Consumers see frames in the order of the claims. With one publisher, claims are also published in their order;
 * with many, in any order. Once published, a frame can be read until every gating consumer has passed it. A claim that
 * does not fit before the end of the memory leaves a frame of padding there, which consumers skip.
 *
 * <p>Claims, publications and aborts of a ring for one publisher belong to one thread at a time; everything else may be
 * called by any thread. Nothing here allocates, except the exceptions of a ring that has failed.
 *
 * <p>A claim is of one frame, or of several of the same length side by side. One that is never published nor aborted
 * holds up consumers, and before a lap is over every publisher, also where nobody consumes. Publishing what is not
 * claimed, or twice, is an error that only assertions ({@code -ea}) report, and that spoils a ring for one publisher.
 *
 * <p>A thread may run out of stack at any call. {@code tryClaim} and {@code publishFrame} of a ring for many publishers
 * end their claim also then: it is skipped, or was published just before, and consumers that sleep see what is behind
 * it with the next publication. Who claims and publishes in calls of their own aborts in a finally block; a claim that
 * has no stack left for that stays open. A ring for one publisher must not be used by a thread that may run out of
 * stack inside a call of it.
 */
public final class FrameRing extends FrameRingState.Padded implements AutoCloseable {
    private static final int SMALLEST = 64;
    private static final int LARGEST = 1 << 30;

    /**
     * Creates a ring in native memory for any number of publishers.
     *
     * @param capacity in bytes; rounded up to a power of two, from 64 bytes to 1 GiB
     * @throws IllegalArgumentException if the capacity is out of bounds
     */
    public FrameRing(int capacity) {
        this(new MultiFrameSequencer(allocate(capacity), false), WaitStrategy.parking(), WhenFull.WAIT);
    }

    private FrameRing(FrameSequencer frames, WaitStrategy publishersWait, WhenFull whenFull) {
        super(frames, publishersWait, whenFull);
    }

    /** Creates a ring in native memory for any number of publishers, where {@link #publishFrame} waits for room. */
    public static FrameRing forManyPublishers(int capacity, WaitStrategy publishersWait) {
        return forManyPublishers(capacity, publishersWait, WhenFull.WAIT);
    }

    /**
     * Creates a ring in native memory for any number of publishers.
     *
     * @param capacity       in bytes; rounded up to a power of two, from 64 bytes to 1 GiB
     * @param publishersWait how a publisher waits for room
     * @param whenFull       what {@link #publishFrame} does when there is no room
     */
    public static FrameRing forManyPublishers(int capacity, WaitStrategy publishersWait, WhenFull whenFull) {
        return new FrameRing(new MultiFrameSequencer(allocate(capacity), false), publishersWait, whenFull);
    }

    /**
     * Creates a ring in {@code region} for any number of publishers, all of this process.
     *
     * <p>The frames lie in the region; which of them are published, and how far consumers have come, does not. So it is
     * not a way to other processes.
     *
     * @param region native or mapped; a power of two from 64 bytes to 1 GiB is used from beginning to end and cleared.
     *               It stays the caller's, who closes it after the ring
     * @throws IllegalArgumentException if the region has another size or is read-only
     */
    public static FrameRing forManyPublishers(Region region, WaitStrategy publishersWait, WhenFull whenFull) {
        return new FrameRing(new MultiFrameSequencer(requireSize(region), true), publishersWait, whenFull);
    }

    /** Creates a ring in native memory for one publishing thread, where {@link #publishFrame} waits for room. */
    public static FrameRing forOnePublisher(int capacity, WaitStrategy publishersWait) {
        return forOnePublisher(capacity, publishersWait, WhenFull.WAIT);
    }

    /**
     * Creates a ring in native memory for one publishing thread; the rest is as in {@link #forManyPublishers}. Of its
     * capacity {@value Frame#ALIGNMENT} bytes always stay free.
     */
    public static FrameRing forOnePublisher(int capacity, WaitStrategy publishersWait, WhenFull whenFull) {
        return new FrameRing(new SingleFrameSequencer(allocate(capacity), false), publishersWait, whenFull);
    }

    /**
     * Creates a ring in {@code region} for one publishing thread; the rest is as in
     * {@link #forManyPublishers(Region, WaitStrategy, WhenFull)}.
     *
     * <p>Here the length in a frame's header also publishes it. So a mapped file that is read from its beginning shows,
     * also after a crash, what was published in the last lap: up to the first length that is 0 or at least 2^30. A lap
     * begins with the claim that wraps, or that reaches the end of the memory.
     */
    public static FrameRing forOnePublisher(Region region, WaitStrategy publishersWait, WhenFull whenFull) {
        return new FrameRing(new SingleFrameSequencer(requireSize(region), true), publishersWait, whenFull);
    }

    /**
     * Returns the largest message in bytes: a frame takes at most half of the ring, so that a wrap always finds room.
     */
    public int maxMessageLength() {
        return maxMessageLength;
    }

    /** Returns the memory of the ring. */
    public MemorySegment memory() {
        return memory;
    }

    /** Returns the offset in {@link #memory} of the frame at {@code position}. */
    public long offset(long position) {
        return position & mask;
    }

    /**
     * Claims room for a message, or returns {@link #NO_ROOM}.
     *
     * <p>The caller writes the tag and the message behind the length of the frame at the returned position, and must
     * then {@link #publish} or {@link #abort} it. The length is the ring's own.
     *
     * @throws IllegalArgumentException if the message is longer than {@link #maxMessageLength} or negative
     * @throws RingFailedException      if a consumer has stopped
     */
    public long tryClaim(int messageLength) {
        long position = attempt(messageLength);
        return position >= 0 ? position : refuse();
    }

    /**
     * Claims room for a message, waiting for it at most {@code limit}; returns {@link #NO_ROOM} if there was none.
     *
     * @throws IllegalArgumentException if the message is longer than {@link #maxMessageLength} or negative
     * @throws RingFailedException      if a consumer has stopped, also while this waits
     */
    public long tryClaim(int messageLength, Duration limit) {
        Objects.requireNonNull(limit, "limit");
        long position = attempt(messageLength);
        return position >= 0 ? position : awaitRoom(messageLength, Patience.nanos(limit));
    }

    /**
     * Claims room for a message and waits until there is some. An interrupt neither ends the wait nor gets lost.
     *
     * @throws IllegalArgumentException if the message is longer than {@link #maxMessageLength} or negative
     * @throws RingFailedException      if a consumer has stopped, also while this waits
     */
    public long claim(int messageLength) {
        long position = attempt(messageLength);
        return position >= 0 ? position : awaitRoom(messageLength, Long.MAX_VALUE);
    }

    /**
     * Claims room for {@code count} frames side by side, with a message of {@code messageLength} bytes each, or returns
     * {@link #NO_ROOM} if there is not enough for all. Each frame begins {@link #stride} bytes behind the one before,
     * the first one at the returned position. {@link #publish(long, int, int)} makes them visible in one step;
     * {@link #abort} gives all of them up.
     *
     * @throws IllegalArgumentException if {@code messageLength} is negative, {@code count} less than 1, or all together
     *                                  more than half of the ring
     * @throws RingFailedException      if a consumer has stopped
     */
    public long tryClaim(int messageLength, int count) {
        return tryClaim(lengthOfAll(messageLength, count));
    }

    /**
     * As {@link #tryClaim(int, int)}, but waits for room, at most {@code limit}.
     *
     * @throws RingFailedException if a consumer has stopped, also while this waits
     */
    public long tryClaim(int messageLength, int count, Duration limit) {
        return tryClaim(lengthOfAll(messageLength, count), limit);
    }

    /**
     * As {@link #tryClaim(int, int)}, but waits until there is room. An interrupt neither ends the wait nor gets lost.
     *
     * @throws RingFailedException if a consumer has stopped, also while this waits
     */
    public long claim(int messageLength, int count) {
        return claim(lengthOfAll(messageLength, count));
    }

    /**
     * Returns how many bytes lie between the beginnings of two frames side by side, with messages of
     * {@code messageLength} bytes.
     *
     * @throws IllegalArgumentException if no ring takes a message of that length
     */
    public static int stride(int messageLength) {
        if (messageLength < 0 || messageLength > LARGEST / 2 - Frame.HEADER_BYTES) {
            throw new IllegalArgumentException("a message of the largest ring has from 0 to "
                    + (LARGEST / 2 - Frame.HEADER_BYTES) + " bytes, not " + messageLength);
        }
        return Frame.align(Frame.HEADER_BYTES + messageLength);
    }

    /** Returns the length of one message that takes as much room as all of these frames. */
    private int lengthOfAll(int messageLength, int count) {
        if (messageLength < 0 || messageLength > maxMessageLength) {
            throw badLength(messageLength);
        }
        long bytes = (long) count * stride(messageLength);
        if (count < 1 || bytes > maxMessageLength + Frame.HEADER_BYTES) {
            throw new IllegalArgumentException(count + " frames with messages of " + messageLength
                    + " bytes take " + bytes
                    + " bytes; a claim is of at least one frame and at most half of the ring, "
                    + (maxMessageLength + Frame.HEADER_BYTES) + " bytes");
        }
        // The header of a single frame is written by its claim.
        return count == 1 ? messageLength : (int) bytes - Frame.HEADER_BYTES;
    }

    @Override
    long attempt(int messageLength) {
        if (messageLength < 0 || messageLength > maxMessageLength) {
            throw badLength(messageLength);
        }
        try {
            return frames.tryClaim(messageLength);
        } catch (IllegalStateException e) {
            throw closedMeanwhile(e);
        }
    }

    /** Returns why a claim fails whose memory was freed after it was granted. */
    private RuntimeException closedMeanwhile(IllegalStateException e) {
        RingFailure failure = sequencer.failure();
        return failure == null || memory.scope().isAlive() ? e : failure.newException();
    }

    /** Makes the claimed frame at {@code position} visible to consumers. */
    public void publish(long position) {
        frames.publish(position);
        wakeConsumers();
    }

    /**
     * Makes all frames of the claim at {@code position} visible to consumers in one step, with the lengths and the
     * count that were claimed.
     */
    public void publish(long position, int messageLength, int count) {
        frames.publish(position, Frame.HEADER_BYTES + messageLength, count);
        wakeConsumers();
    }

    /**
     * Gives the claim at {@code position} up; consumers skip it: its length becomes negative.
     *
     * @throws IllegalStateException if the frame is not claimed, or was published or aborted already
     */
    public void abort(long position) {
        if (!frames.isOpen(position)) {
            throw new IllegalStateException(frames.notOpen(position) + ", so it cannot be aborted");
        }
        frames.abort(position);
        wakeConsumers();
    }

    /**
     * Claims room for a message, lets {@code writer} fill it and publishes it; aborts it if the writer throws.
     *
     * @return whether it was published; false only if it was dropped ({@link WhenFull#DROP_NEWEST})
     * @throws IllegalArgumentException if the message is longer than {@link #maxMessageLength} or negative
     * @throws RingFullException        if the ring is full and the policy is {@link WhenFull#FAIL}
     * @throws RingFailedException      if a consumer has stopped
     */
    public <A> boolean publishFrame(int messageLength, FrameWriter<? super A> writer, A attachment) {
        return publishFrame(true, messageLength, writer, attachment);
    }

    /** As {@link #publishFrame}, but returns false whenever there is no room, whatever the policy. */
    public <A> boolean tryPublishFrame(int messageLength, FrameWriter<? super A> writer, A attachment) {
        return publishFrame(false, messageLength, writer, attachment);
    }

    private <A> boolean publishFrame(boolean byPolicy, int messageLength, FrameWriter<? super A> writer, A attachment) {
        long position = attempt(messageLength);
        if (position < 0 && (position = byPolicy ? claimWhenFull(messageLength, 1) : refuse()) < 0) {
            return false;
        }
        boolean ended = false;
        try {
            boolean written = false;
            try {
                writer.write(memory, offset(position) + Frame.HEADER_BYTES, messageLength, attachment);
                written = true;
            } finally {
                end(position, written);
                ended = true;
                wakeConsumers();
            }
        } catch (StackOverflowError e) {
            if (many != null && !ended) {
                long last = position + Frame.HEADER_BYTES + messageLength - 1 & -Frame.ALIGNMENT;
                for (long at = last; at > position; at -= Frame.ALIGNMENT) {
                    many.stamps[(int) (at >>> many.slotShift) & many.stamps.length - 1] =
                            (int) (at >>> many.lapShift) + 1 ^ LEFT;
                }
                many.ordered = true;
                if (many.ordered) {
                    many.stamps[(int) (position >>> many.slotShift) & many.stamps.length - 1] =
                            (int) (position >>> many.lapShift) + 1 ^ LEFT;
                }
            }
            throw e;
        }
        return true;
    }

    private void end(long position, boolean written) {
        if (written) {
            frames.publish(position);
        } else {
            frames.abort(position);
        }
    }

    /** Returns a handle for one publishing thread, whose claims are used in try-with-resources. */
    public FrameClaim newClaim() {
        return new FrameClaim(this);
    }

    /**
     * Returns a consumer that one thread polls; publishers wait for it from the position at which it stands: where the
     * slowest of {@code upstream} is or, if there is none, at the end of what is claimed (with one publisher:
     * published) now.
     *
     * @throws IllegalArgumentException if publishers wait neither for {@code upstream} nor for anybody behind it
     */
    public FramePoller newPoller(Sequence... upstream) {
        return newPoller(newBarrier(upstream));
    }

    /**
     * Returns a consumer that one thread polls behind {@code barrier}, which is one of this ring; the rest is as in
     * {@link #newPoller(Sequence...)}.
     *
     * @throws IllegalArgumentException if the barrier is one of another ring
     */
    public FramePoller newPoller(SequenceBarrier barrier) {
        return new FramePoller(this, Objects.requireNonNull(barrier, "barrier"));
    }

    /** Returns a consumer that publishers never wait for, which copies frames and counts the bytes that it missed. */
    public FrameObserver newObserver() {
        return new FrameObserver(this);
    }

    @Override
    RingBarrier publishedBarrier() {
        return frames.newBarrier();
    }

    /**
     * Makes every claim fail with {@link RingFailedException}, waiting ones included, and then frees the memory, unless
     * it was made in a region of the caller's.
     *
     * <p>Publishers and consumers are best ended before. One that is writing or reading at this moment gets an
     * {@link IllegalStateException} from the memory, and never touches what is no longer the ring's.
     */
    @Override
    public void close() {
        fail("the ring was closed", null);
        frames.close();
    }

    private IllegalArgumentException badLength(int messageLength) {
        return new IllegalArgumentException(
                "a message has from 0 to " + maxMessageLength() + " bytes, not " + messageLength);
    }

    private static Region allocate(int capacity) {
        return Region.allocate(powerOfTwo(capacity));
    }

    private static Region requireSize(Region region) {
        long bytes = Objects.requireNonNull(region, "region").byteSize();
        if (bytes < SMALLEST || bytes > LARGEST || Long.bitCount(bytes) != 1) {
            throw new IllegalArgumentException(
                    "a ring takes a region whose size is a power of two from 64 bytes to " + "1 GiB, not " + bytes);
        }
        if (region.segment().isReadOnly()) {
            throw new IllegalArgumentException("a ring writes to its region, and this one of " + bytes
                    + " bytes is read-only; map it with Region.open");
        }
        return region;
    }

    private static int powerOfTwo(int capacity) {
        if (capacity < SMALLEST || capacity > LARGEST) {
            throw new IllegalArgumentException("a ring has from 64 bytes to 1 GiB, not " + capacity);
        }
        return Integer.highestOneBit(capacity - 1) << 1;
    }
}
