package io.slipstream.ipc;

import io.slipstream.core.memory.Region;

/**
 * The ring of a channel with one publisher: the length in the header publishes the frame, and the header behind the
 * newest frame is 0.
 * So a reader waits at the very cache line in which its next frame will be.
 */
final class OneFrames extends Frames {
    OneFrames(Region region, Layout layout) {
        super(region, layout);
    }

    @Override
    int length(long position) {
        int length = region.getIntAcquire(data + (position & mask));
        return length == 0 ? 0 : checked(position, length);
    }

    @Override
    int claimOwner(long position) {
        return -1;
    }
}
