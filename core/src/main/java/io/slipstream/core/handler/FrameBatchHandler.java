package io.slipstream.core.handler;

import io.slipstream.core.frame.Frame;
import java.lang.foreign.MemorySegment;

/** Receives frames by the run: as many as lie side by side. */
@FunctionalInterface
public interface FrameBatchHandler extends StageListener {
    /**
     * Handles a run of whole frames. Each begins {@link Frame#align} of the length of the one before behind that one;
     * none of them was aborted. The memory is the ring's own and valid only during the call.
     *
     * @param memory where the frames are
     * @param offset of the first one's header in {@code memory}
     * @param bytes  of all of them
     * @throws Exception what happens then is up to the stage's {@link ExceptionPolicy}, to which the whole run is one
     *                   event
     */
    void onBatch(MemorySegment memory, long offset, int bytes) throws Exception;
}
