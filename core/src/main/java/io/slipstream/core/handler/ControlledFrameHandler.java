package io.slipstream.core.handler;

import java.lang.foreign.MemorySegment;

/** Receives frames and says with each what to do next, so that no exception is needed for control flow. */
@FunctionalInterface
public interface ControlledFrameHandler extends StageListener {
    /**
     * Handles one frame. The memory is the ring's own and valid only during the call.
     *
     * @param memory     where the frame is
     * @param offset     of the frame's header in {@code memory}
     * @param length     of header and message in bytes
     * @param endOfBatch whether this is the last frame of its batch
     * @return what to do next
     * @throws Exception what happens then is up to the stage's {@link ExceptionPolicy}
     */
    Action onFrame(MemorySegment memory, long offset, int length, boolean endOfBatch) throws Exception;
}
