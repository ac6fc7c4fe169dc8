package io.slipstream.core.graph;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.handler.FrameBatchHandler;
import io.slipstream.core.ring.FrameRing;

/** Hands frames to a handler by the run; between runs lie padding, aborted claims and the end of the memory. */
final class FrameBatchStage extends FrameWalkingStage {
    private final FrameBatchHandler handler;

    FrameBatchStage(FrameRing ring, FrameBatchHandler handler, StageSettings settings) {
        super(ring, handler, settings);
        this.handler = handler;
    }

    @Override
    protected long handle(long first, long end) throws Exception {
        long at = nextFrame(first, end);
        while (at < end) {
            long runEnd = endOfRun(at, end);
            try {
                handler.onBatch(memory, at & mask, (int) (runEnd - at));
            } catch (Throwable e) {
                failed(at);
                throw e;
            }
            at = nextFrame(runEnd, end);
        }
        return at;
    }

    @Override
    protected long afterFailed(long at, long end) {
        return endOfRun(at, end);
    }

    private long endOfRun(long from, long end) {
        long at = from;
        do {
            int length = Frame.length(memory, at & mask);
            if (length <= 0) {
                break;
            }
            at += Frame.align(length);
        } while (at < end && (at & mask) != 0);
        return at;
    }
}
