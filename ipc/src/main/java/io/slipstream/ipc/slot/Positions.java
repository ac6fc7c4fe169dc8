package io.slipstream.ipc.slot;

import io.slipstream.core.memory.Region;
import io.slipstream.ipc.file.Layout;

/** How far the parties have come, as their slots say. */
public final class Positions {
    private final Region region;
    private final int slots;

    public Positions(Region region, int slots) {
        this.region = region;
        this.slots = slots;
    }

    public long state(int slot) {
        return region.getLongAcquire(Layout.slot(slot) + Layout.STATE_AT);
    }

    public long of(int slot) {
        return region.getLongAcquire(Layout.slot(slot) + Layout.POSITION_AT);
    }

    /** Returns the gating position that is furthest behind, or {@link Long#MAX_VALUE} if publishers wait for nobody. */
    public long slowest() {
        long slowest = Long.MAX_VALUE;
        for (int slot = 0; slot < slots; slot++) {
            if (SlotState.isGating(state(slot))) {
                slowest = Math.min(slowest, of(slot));
            }
        }
        return slowest;
    }
}
