package io.slipstream.core.ring;

import java.lang.foreign.MemorySegment;

/** Hands frames to a handler one by one and skips padding and aborted claims. */
final class FrameStage extends Stage {
    private static final StageListener NOBODY = new StageListener() { };

    private final MemorySegment memory;
    private final FrameHandler handler;
    private final int mask;

    FrameStage(FrameRing ring, FrameHandler handler, StageSettings settings) {
        super(ring, handler instanceof StageListener listener ? listener : NOBODY, settings);
        this.memory = ring.memory();
        this.handler = handler;
        this.mask = ring.capacity() - 1;
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

    private long nextFrame(long from, long end) {
        long at = from;
        while (at < end) {
            int length = Frame.length(memory, at & mask);
            if (length > 0) {
                break;
            }
            at -= length;
        }
        return at;
    }

    @Override
    protected long afterFailed(long at, long end) {
        return at + Frame.align(Frame.length(memory, at & mask));
    }
}
