package io.slipstream.ipc.slot;

import io.slipstream.core.memory.Region;
import io.slipstream.ipc.file.Layout;
import io.slipstream.ipc.frame.Frames;
import java.lang.invoke.VarHandle;

/**
 * How far publishers may write: not over what a gating party has not read, and only a step at a time, so that a late
 * joiner still finds what is older.
 *
 * <p>A party that joins and a publisher that raises the limit may not miss each other. The publisher announces a goal,
 * and then looks at the slots once more before it raises the limit to it; the party fills its slot, and then looks at
 * what is announced. Both have a full fence in between. So either the publisher sees the slot, or the party sees the
 * goal and begins behind what it allows to be overwritten.
 */
public final class Limit {
    private static final int STEPS = 8;

    private final Region region;
    private final Positions positions;
    private final int capacity;

    public Limit(Region region, Positions positions, int capacity) {
        this.region = region;
        this.positions = positions;
        this.capacity = capacity;
    }

    public long get() {
        return Frames.checkedPosition(region.getLongAcquire(Layout.LIMIT_AT));
    }

    /** Returns the oldest position that is certainly not overwritten by who claims under the present limit. */
    public long oldestKept() {
        return get() - capacity;
    }

    /** Tries to raise the limit to {@code end} or somewhat more; returns the limit. */
    public long raise(long end) {
        long goal = Math.min(mostNow(), end + capacity / STEPS);
        if (goal >= end) {
            raise(Layout.ANNOUNCED_AT, goal);
            VarHandle.fullFence();
            goal = Math.min(goal, mostNow());
            if (goal >= end) {
                raise(Layout.LIMIT_AT, goal);
            }
        }
        return get();
    }

    private long mostNow() {
        long slowest = positions.slowest();
        return slowest > Long.MAX_VALUE - capacity ? Long.MAX_VALUE : slowest + capacity;
    }

    private void raise(long at, long goal) {
        long value = region.getLongVolatile(at);
        while (value < goal && !region.compareAndSetLong(at, value, goal)) {
            value = region.getLongVolatile(at);
        }
    }

    /**
     * Returns the oldest position that will be kept for a party whose slot is filled already; call it after a full
     * fence.
     */
    public long oldestAnnounced() {
        return Frames.checkedPosition(region.getLongVolatile(Layout.ANNOUNCED_AT)) - capacity;
    }
}
