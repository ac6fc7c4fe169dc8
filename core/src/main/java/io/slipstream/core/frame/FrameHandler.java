package io.slipstream.core.frame;

import java.lang.foreign.MemorySegment;

/**
 * Receives the frames of a ring, one at a time and in order. In a graph it also gets start, end, batches and time-outs
 * if it is a {@link io.slipstream.core.handler.StageListener}.
 */
@FunctionalInterface
public interface FrameHandler {
    /**
     * Handles one frame. The memory is the ring's own and valid only during the call.
     *
     * @param memory     where the frame is
     * @param offset     of the frame's header in {@code memory}
     * @param length     of header and message in bytes
     * @param endOfBatch whether this is the last frame of its batch, as nothing more had arrived or the batch is as
     *                   large as it may be: the moment to flush
     */
    void onFrame(MemorySegment memory, long offset, int length, boolean endOfBatch);
}
