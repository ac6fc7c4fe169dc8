package io.slipstream.core.ring;

import io.slipstream.core.memory.Region;
import io.slipstream.core.thread.Signal;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A ring of frames of variable length, for any number of publishers and consumers.
 *
 * <p>A publisher claims contiguous room, writes its message and publishes or aborts; nobody claims before there is room.
 * Claims of different publishers are published in any order; consumers see them in the order of the claims. Once
 * published, a frame can be read until every gating consumer has passed it.
 *
 * <p>Publication is marked by a stamp beside the ring, one for each place where a frame may begin, that says in which lap
 * the frame there was published. So old bytes are never taken for a frame, and nothing has to be cleared.
 */
public final class FrameRing implements AutoCloseable {
    /** What {@link #tryClaim} returns when there is no room at present. */
    public static final long NO_ROOM = -1;

    private static final VarHandle STAMP = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int STAMP_SHIFT = Integer.numberOfTrailingZeros(Frame.ALIGNMENT);

    private final Region region;
    private final MemorySegment memory;
    private final int capacity;
    private final int mask;
    private final int lapShift;
    private final int[] stamps;
    private final Sequence tail = new Sequence();
    private final Sequence gatingCache = new Sequence();
    private Sequence[] gating = {};
    private Signal[] signals = {};

    /**
     * Creates a ring in native memory.
     *
     * @param capacity in bytes; rounded up to a power of two, from 64 bytes to 1 GiB
     * @throws IllegalArgumentException if the capacity is out of bounds
     */
    public FrameRing(int capacity) {
        if (capacity < 64 || capacity > 1 << 30) {
            throw new IllegalArgumentException("a ring has from 64 bytes to 1 GiB, not " + capacity);
        }
        this.capacity = Integer.highestOneBit(capacity - 1) << 1;
        this.mask = this.capacity - 1;
        this.lapShift = Integer.numberOfTrailingZeros(this.capacity);
        this.stamps = new int[this.capacity >>> STAMP_SHIFT];
        this.region = Region.allocate(this.capacity);
        this.memory = region.segment();
    }

    /** Returns the capacity in bytes. */
    public int capacity() {
        return capacity;
    }

    /** Returns the largest message in bytes: a frame takes at most half of the ring, so that a wrap always finds room. */
    public int maxMessageLength() {
        return capacity / 2 - Frame.HEADER_BYTES;
    }

    /** Returns the memory of the ring. */
    public MemorySegment memory() {
        return memory;
    }

    /** Returns the offset in {@link #memory} of the frame at {@code position}. */
    public long offset(long position) {
        return position & mask;
    }

    /** Makes publishers wait for {@code consumer}; before the first claim. */
    public void addGating(Sequence consumer) {
        gating = Arrays.copyOf(gating, gating.length + 1);
        gating[gating.length - 1] = consumer;
    }

    /** Makes every publication wake the thread that sleeps on {@code signal}; before the first claim. */
    public void addSignal(Signal signal) {
        signals = Arrays.copyOf(signals, signals.length + 1);
        signals[signals.length - 1] = signal;
    }

    /** Returns the bytes that are claimed and not yet passed by every gating consumer; an estimate while others work. */
    public long depth() {
        long passed = gatingMinimum(Long.MAX_VALUE);
        return Math.max(0, tail.getAcquire() - passed);
    }

    /**
     * Claims room for a message, or returns {@link #NO_ROOM}.
     *
     * <p>The caller writes the tag and the message behind the header of the frame at the returned position, and must
     * then {@link #publish} or {@link #abort} it. Callable by any thread.
     *
     * @throws IllegalArgumentException if the message is longer than {@link #maxMessageLength} or negative
     */
    public long tryClaim(int messageLength) {
        if (messageLength < 0 || messageLength > maxMessageLength()) {
            throw new IllegalArgumentException(
                    "a message has from 0 to " + maxMessageLength() + " bytes, not " + messageLength);
        }
        int length = Frame.HEADER_BYTES + messageLength;
        int aligned = Frame.align(length);
        long start;
        long end;
        int padding;
        do {
            start = tail.getAcquire();
            int toEnd = capacity - (int) (start & mask);
            padding = aligned > toEnd ? toEnd : 0;
            end = start + padding + aligned;
            if (end - capacity > gatingCache.getAcquire() && !hasRoomFor(end)) {
                return NO_ROOM;
            }
        } while (!tail.compareAndSet(start, end));
        if (padding > 0) {
            Frame.length(memory, start & mask, -padding);
            stampRelease(start);
        }
        long position = start + padding;
        Frame.length(memory, position & mask, length);
        return position;
    }

    /** Makes the claimed frame at {@code position} visible to consumers. */
    public void publish(long position) {
        stampRelease(position);
        for (Signal signal : signals) {
            signal.wake();
        }
    }

    /** Gives the claim at {@code position} up; consumers skip it. */
    public void abort(long position) {
        long offset = position & mask;
        Frame.length(memory, offset, -Frame.align(Frame.length(memory, offset)));
        publish(position);
    }

    /** Returns whether the frame, or the gap, at {@code position} was published. */
    boolean isPublished(long position) {
        return (int) STAMP.getAcquire(stamps, (int) (position & mask) >>> STAMP_SHIFT) == stamp(position);
    }

    /** Frees the memory; nobody may use the ring any more. */
    @Override
    public void close() {
        region.close();
    }

    private boolean hasRoomFor(long end) {
        long passed = gatingMinimum(tail.getAcquire());
        gatingCache.setRelease(passed);
        return end - capacity <= passed;
    }

    private long gatingMinimum(long limit) {
        long minimum = limit;
        for (Sequence consumer : gating) {
            minimum = Math.min(minimum, consumer.getAcquire());
        }
        return minimum;
    }

    private void stampRelease(long position) {
        STAMP.setRelease(stamps, (int) (position & mask) >>> STAMP_SHIFT, stamp(position));
    }

    private int stamp(long position) {
        return (int) (position >>> lapShift) + 1;
    }
}
