package io.slipstream.ipc.slot;

import io.slipstream.core.memory.Region;
import io.slipstream.ipc.file.Layout;

/**
 * The look of a publisher without room at those who hold it up: is one dead, or slower than it said that it would be?
 */
public final class Gates {
    private final Region region;
    private final Slots slots;
    private final Limit limit;
    private final int capacity;
    private boolean waits;
    private long since;

    public Gates(Region region, Slots slots, Limit limit, int capacity) {
        this.region = region;
        this.slots = slots;
        this.limit = limit;
        this.capacity = capacity;
    }

    /** There was room. */
    public void reset() {
        waits = false;
    }

    /** Buries the dead ones among the slowest, and drops those that have used up their patience. */
    public void look() {
        long now = System.nanoTime();
        if (!waits) {
            waits = true;
            since = now;
        }
        long slowest = slots.positions().slowest();
        if (slowest > limit.get() - capacity / 2) {
            return;
        }
        for (int slot = 0; slot < slots.count(); slot++) {
            long state = slots.state(slot);
            if (SlotState.isGating(state)
                    && slots.position(slot) - capacity / 8 <= slowest
                    && !slots.buryIfDead(slot)
                    && SlotState.is(state, SlotState.PATIENT_OBSERVER)
                    && now - since > slots.patienceNanos(slot)) {
                region.compareAndSetLong(Layout.slot(slot) + Layout.STATE_AT, state, state | SlotState.DROPPED);
            }
        }
    }
}
