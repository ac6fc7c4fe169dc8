package io.slipstream.core.ring;

import io.slipstream.core.thread.Patience;
import io.slipstream.core.thread.WaitStrategy;

import java.lang.foreign.MemorySegment;
import java.time.Duration;

/**
 * A ring of frames of variable length.
 *
 * <p>A publisher claims contiguous room, writes its message and publishes or aborts; nobody claims before there is room.
 * Consumers see frames in the order of the claims. With one publisher, claims are also published in their order; with
 * many, in any order. Once published, a frame can be read until every gating consumer has passed it. A claim that does
 * not fit before the end of the memory leaves a frame of padding there, which consumers skip.
 *
 * <p>Claims, publications and aborts of a ring for one publisher belong to one thread at a time; everything else may be
 * called by any thread. Nothing here allocates.
 */
@SuppressWarnings("unused")
public final class FrameRing extends FrameRingState implements AutoCloseable {
    private static final int SLOT_SHIFT = Integer.numberOfTrailingZeros(Frame.ALIGNMENT);
    private static final int SMALLEST = 64;
    private static final int LARGEST = 1 << 30;

    byte r000, r001, r002, r003, r004, r005, r006, r007, r008, r009, r010, r011, r012, r013, r014, r015;
    byte r016, r017, r018, r019, r020, r021, r022, r023, r024, r025, r026, r027, r028, r029, r030, r031;
    byte r032, r033, r034, r035, r036, r037, r038, r039, r040, r041, r042, r043, r044, r045, r046, r047;
    byte r048, r049, r050, r051, r052, r053, r054, r055, r056, r057, r058, r059, r060, r061, r062, r063;
    byte r064, r065, r066, r067, r068, r069, r070, r071, r072, r073, r074, r075, r076, r077, r078, r079;
    byte r080, r081, r082, r083, r084, r085, r086, r087, r088, r089, r090, r091, r092, r093, r094, r095;
    byte r096, r097, r098, r099, r100, r101, r102, r103, r104, r105, r106, r107, r108, r109, r110, r111;
    byte r112, r113, r114, r115, r116, r117, r118, r119, r120, r121, r122, r123, r124, r125, r126, r127;
    byte r128, r129, r130, r131, r132, r133, r134, r135, r136, r137, r138, r139, r140, r141, r142, r143;

    /**
     * Creates a ring in native memory for any number of publishers.
     *
     * @param capacity in bytes; rounded up to a power of two, from 64 bytes to 1 GiB
     * @throws IllegalArgumentException if the capacity is out of bounds
     */
    public FrameRing(int capacity) {
        this(new MultiSequencer(powerOfTwo(capacity), SLOT_SHIFT), WaitStrategy.parking());
    }

    private FrameRing(Sequencer sequencer, WaitStrategy publishersWait) {
        super(sequencer, publishersWait);
    }

    /**
     * Creates a ring in native memory for any number of publishers.
     *
     * @param capacity       in bytes; rounded up to a power of two, from 64 bytes to 1 GiB
     * @param publishersWait how a publisher waits for room
     */
    public static FrameRing forManyPublishers(int capacity, WaitStrategy publishersWait) {
        return new FrameRing(new MultiSequencer(powerOfTwo(capacity), SLOT_SHIFT), publishersWait);
    }

    /** Creates a ring in native memory for one publishing thread; the rest is as in {@link #forManyPublishers}. */
    public static FrameRing forOnePublisher(int capacity, WaitStrategy publishersWait) {
        return new FrameRing(new SingleSequencer(powerOfTwo(capacity)), publishersWait);
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

    /**
     * Claims room for a message, or returns {@link #NO_ROOM}.
     *
     * <p>The caller writes the tag and the message behind the header of the frame at the returned position, and must
     * then {@link #publish} or {@link #abort} it.
     *
     * @throws IllegalArgumentException if the message is longer than {@link #maxMessageLength} or negative
     * @throws RingFailedException      if a consumer has stopped
     */
    public long tryClaim(int messageLength) {
        long position = attempt(messageLength);
        return position >= 0 ? position : refuse();
    }

    /** Claims room for a message, waiting for it at most {@code limit}; returns {@link #NO_ROOM} if there was none. */
    public long tryClaim(int messageLength, Duration limit) {
        long position = attempt(messageLength);
        return position >= 0 ? position : awaitRoom(messageLength, Patience.nanos(limit));
    }

    /** Claims room for a message and waits until there is some. An interrupt neither ends the wait nor gets lost. */
    public long claim(int messageLength) {
        long position = attempt(messageLength);
        return position >= 0 ? position : awaitRoom(messageLength, Long.MAX_VALUE);
    }

    @Override
    long attempt(int messageLength) {
        if (messageLength < 0 || messageLength > capacity / 2 - Frame.HEADER_BYTES) {
            throw badLength(messageLength);
        }
        SingleSequencer one = single;
        return one != null ? claimAlone(one, messageLength) : claimAmongMany(messageLength);
    }

    private long claimAlone(SingleSequencer one, int messageLength) {
        int length = Frame.HEADER_BYTES + messageLength;
        int aligned = Frame.align(length);
        long start = one.next;
        long offset = start & mask;
        if (offset + aligned > capacity) {
            return claimAloneBehindPadding(one, length, aligned);
        }
        if (one.tryClaim(aligned) < 0) {
            return NO_ROOM;
        }
        Frame.length(memory, offset, length);
        return start;
    }

    private long claimAloneBehindPadding(SingleSequencer one, int length, int aligned) {
        long start = one.next;
        int padding = capacity - (int) (start & mask);
        if (one.tryClaim(padding + aligned) < 0) {
            return NO_ROOM;
        }
        Frame.length(memory, start & mask, -padding);
        Frame.length(memory, 0, length);
        one.padding = padding;
        return start + padding;
    }

    private long claimAmongMany(int messageLength) {
        MultiSequencer many = (MultiSequencer) sequencer;
        int length = Frame.HEADER_BYTES + messageLength;
        int aligned = Frame.align(length);
        while (true) {
            long start = many.claimed();
            int toEnd = capacity - (int) (start & mask);
            int padding = aligned > toEnd ? toEnd : 0;
            long end = start + padding + aligned;
            if (!many.hasRoom(start, end)) {
                return NO_ROOM;
            }
            if (many.tryAdvance(start, end)) {
                if (padding > 0) {
                    Frame.length(memory, start & mask, -padding);
                    many.publish(start);
                }
                Frame.length(memory, (start + padding) & mask, length);
                return start + padding;
            }
            MultiSequencer.backOff();
        }
    }

    /** Makes the claimed frame at {@code position} visible to consumers. */
    public void publish(long position) {
        SingleSequencer one = single;
        if (one != null) {
            publishAlone(one, position, Frame.align(Math.abs(Frame.length(memory, position & mask))));
        } else {
            ((MultiSequencer) sequencer).publish(position);
        }
        wakeConsumers();
    }

    private void publishAlone(SingleSequencer one, long position, int aligned) {
        int padding = one.padding;
        if (padding > 0 && (position & mask) == 0) {
            one.padding = 0;
            one.publish(position - padding, padding + aligned);
        } else {
            one.publish(position, aligned);
        }
    }

    /** Gives the claim at {@code position} up; consumers skip it. */
    public void abort(long position) {
        long offset = position & mask;
        Frame.length(memory, offset, -Frame.align(Frame.length(memory, offset)));
        publish(position);
    }

    /** Returns a handle for one publishing thread, whose claims are used in try-with-resources. */
    public FrameClaim newClaim() {
        return new FrameClaim(this);
    }

    /** Returns a consumer that one thread polls; publishers wait for it from the end of what is claimed now. */
    public FramePoller newPoller() {
        FramePoller poller = new FramePoller(this);
        addGating(poller.sequence());
        return poller;
    }

    /** Returns a new graph of handlers of this ring. */
    public FrameGraph graph() {
        return new FrameGraph(this);
    }

    @Override
    SequenceBarrier publishedBarrier() {
        return single != null ? single.newBarrier() : new FramesBarrier(this, (MultiSequencer) sequencer);
    }

    /** Frees the memory; nobody may use the ring any more. */
    @Override
    public void close() {
        region.close();
    }

    private IllegalArgumentException badLength(int messageLength) {
        return new IllegalArgumentException(
                "a message has from 0 to " + maxMessageLength() + " bytes, not " + messageLength);
    }

    private static int powerOfTwo(int capacity) {
        if (capacity < SMALLEST || capacity > LARGEST) {
            throw new IllegalArgumentException("a ring has from 64 bytes to 1 GiB, not " + capacity);
        }
        return Integer.highestOneBit(capacity - 1) << 1;
    }
}
