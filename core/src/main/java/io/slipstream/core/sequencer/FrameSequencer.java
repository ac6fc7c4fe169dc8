package io.slipstream.core.sequencer;

import io.slipstream.core.memory.Region;
import java.lang.foreign.MemorySegment;

/** Hands out the memory of a ring of frames, frame by frame, on top of a {@link Sequencer} that counts its bytes. */
public abstract sealed class FrameSequencer implements AutoCloseable permits SingleFrameSequencer, MultiFrameSequencer {
    public final MemorySegment memory;
    public final int capacity;
    public final int mask;

    private final Region region;
    private final boolean isLent;

    /**
     * @param region its size is the capacity
     * @param isLent whether it belongs to somebody else, who closes it; what it holds is lost
     */
    public FrameSequencer(Region region, boolean isLent) {
        this.capacity = (int) region.byteSize();
        this.mask = capacity - 1;
        this.region = region;
        this.isLent = isLent;
        this.memory = region.segment();
        if (isLent) {
            memory.fill((byte) 0);
        }
    }

    /** Returns what counts the bytes. */
    public abstract Sequencer sequencer();

    /** Claims a frame for a message that fits; returns its position, or {@link Sequencer#NO_ROOM}. */
    public abstract long tryClaim(int messageLength);

    /** Makes the claimed frame at {@code position} visible. */
    public abstract void publish(long position);

    /**
     * Makes what is claimed at {@code position} visible in one step, as {@code count} frames of {@code length} bytes
     * each with their headers, which fill it.
     */
    public abstract void publish(long position, int length, int count);

    /** Makes the claimed frame at {@code position} one that consumers skip. */
    public abstract void abort(long position);

    /**
     * Returns whether what begins at {@code position} is claimed and not yet published or aborted; for the publisher
     * that has claimed it.
     */
    public abstract boolean isOpen(long position);

    /** Says why {@link #isOpen} is false. */
    public final String notOpen(long position) {
        return "the frame at " + position
                + (position >= 0 && position < sequencer().claimed() ? " was published already" : " is not claimed");
    }

    /**
     * Returns whether the frame that begins at {@code position} was published, be it overwritten since; for observers.
     */
    public abstract boolean isPublished(long position);

    /** Returns the barrier of a consumer that reads what is published. */
    public abstract RingBarrier newBarrier();

    @Override
    public final void close() {
        if (!isLent) {
            region.close();
        }
    }
}
