package io.slipstream.core.graph;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.handler.ControlledFrameHandler;
import io.slipstream.core.ring.FrameRing;

/** Hands frames to a handler that says with each what to do next. */
final class ControlledFrameStage extends FrameWalkingStage {
    private final ControlledFrameHandler handler;

    ControlledFrameStage(FrameRing ring, ControlledFrameHandler handler, StageSettings settings) {
        super(ring, handler, settings);
        this.handler = handler;
    }

    @Override
    protected long handle(long first, long end) throws Exception {
        long at = nextFrame(first, end);
        try {
            while (at < end) {
                long offset = at & mask;
                int length = Frame.length(memory, offset);
                long behind = at + Frame.align(length);
                long next = nextFrame(behind, end);
                switch (handler.onFrame(memory, offset, length, next >= end)) {
                    case CONTINUE -> at = next;
                    case RETRY -> {
                        return at;
                    }
                    case REWIND -> {
                        return first;
                    }
                    case STOP -> {
                        stopAfterThis();
                        return behind;
                    }
                }
            }
        } catch (Throwable e) {
            failed(at);
            throw e;
        }
        return at;
    }
}
