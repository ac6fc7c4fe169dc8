package io.slipstream.core.graph;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.frame.FrameHandler;
import io.slipstream.core.ring.FrameRing;

/** Handlers that share the frames of a ring. */
final class FrameShare extends WorkShare {
    private final FrameRing ring;

    FrameShare(FrameRing ring) {
        this.ring = ring;
    }

    Stage add(FrameHandler handler, StageSettings settings) {
        return new OfFrames(this, handler, settings);
    }

    private static final class OfFrames extends Member {
        private final FrameRing ring;
        private final FrameHandler handler;

        OfFrames(FrameShare share, FrameHandler handler, StageSettings settings) {
            super(share, share.ring, FrameStage.listener(handler), settings);
            this.ring = share.ring;
            this.handler = handler;
        }

        @Override
        long endOf(long first) {
            return first + Frame.size(Frame.length(ring.memory(), ring.offset(first)));
        }

        @Override
        void handleOne(long first) {
            long offset = ring.offset(first);
            int length = Frame.length(ring.memory(), offset);
            if (length > 0) {
                handler.onFrame(ring.memory(), offset, length, true);
            }
        }
    }
}
