package io.slipstream.core.graph;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.frame.FrameHandler;
import io.slipstream.core.handler.StageListener;
import io.slipstream.core.ring.FrameRing;

/** Hands frames to a handler one by one. */
final class FrameStage extends FrameWalkingStage {
    private static final StageListener NOBODY = new StageListener() {};

    private final FrameHandler handler;

    FrameStage(FrameRing ring, FrameHandler handler, StageSettings settings) {
        super(ring, listener(handler), settings);
        this.handler = handler;
    }

    /** Returns the handler, if it is a listener as well, or one that does nothing. */
    static StageListener listener(FrameHandler handler) {
        return handler instanceof StageListener listener ? listener : NOBODY;
    }

    @Override
    protected long handle(long first, long end) throws Exception {
        long at = nextFrame(first, end);
        try {
            while (at < end) {
                long offset = at & mask;
                int length = Frame.length(memory, offset);
                long next = nextFrame(at + Frame.align(length), end);
                handler.onFrame(memory, offset, length, next >= end);
                at = next;
            }
        } catch (Throwable e) {
            failed(at);
            throw e;
        }
        // A batch limit may end inside a frame, which was then handled as a whole.
        return at;
    }
}
