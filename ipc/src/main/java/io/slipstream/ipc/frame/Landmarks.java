package io.slipstream.ipc.frame;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.memory.Region;
import io.slipstream.ipc.file.Layout;

/** For each part of the ring a position at which a frame begins, so that a late joiner finds one. */
public final class Landmarks {
    private final Region region;
    private final long partBytes;
    private final long partMask;
    private final int partShift;

    public Landmarks(Region region, int capacity) {
        this.region = region;
        this.partBytes = capacity / Layout.LANDMARKS;
        this.partMask = partBytes - 1;
        this.partShift = Long.numberOfTrailingZeros(partBytes);
    }

    private static long at(long part) {
        return Layout.LANDMARKS_AT + (part & Layout.LANDMARKS - 1) * Long.BYTES;
    }

    /** Notes that a frame begins at {@code position}, unless one before it in the same part is noted. */
    public void note(long position) {
        long at = at(position >>> partShift);
        long noted = region.getLongOpaque(at);
        if (noted < (position & -partBytes)) {
            region.compareAndSetLong(at, noted, position);
        }
    }

    /** Returns where the part behind that of {@code position} begins. */
    public long nextPart(long position) {
        return (position | partMask) + 1;
    }

    /** Returns the first noted position from {@code oldest} on, or {@code tail} if none is noted before that. */
    public long from(long oldest, long tail) {
        long first = tail;
        for (int part = 0; part < Layout.LANDMARKS; part++) {
            long noted = region.getLongAcquire(at(part));
            if (noted >= oldest && noted >= 0 && noted < first && noted % Frame.ALIGNMENT == 0) {
                first = noted;
            }
        }
        return first;
    }
}
