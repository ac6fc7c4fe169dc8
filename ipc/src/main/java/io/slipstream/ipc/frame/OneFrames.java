package io.slipstream.ipc.frame;

import io.slipstream.core.memory.Region;
import io.slipstream.ipc.file.Layout;

/**
 * The ring of a channel with one publisher: the length in the header publishes the frame, and the header behind the
 * newest frame is 0. So a reader waits at the very cache line in which its next frame will be.
 */
public final class OneFrames extends Frames {
    public OneFrames(Region region, Layout layout) {
        super(region, layout);
    }

    @Override
    public int length(long position) {
        int length = region.getIntAcquire(data + (position & mask));
        return length == 0 ? 0 : checked(position, length);
    }

    @Override
    public int claimOwner(long position) {
        return -1;
    }
}
