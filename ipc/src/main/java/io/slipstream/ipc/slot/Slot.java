package io.slipstream.ipc.slot;

import io.slipstream.core.memory.Region;
import io.slipstream.ipc.file.Layout;
import java.nio.channels.FileLock;

/** The slot of a living party of this process. */
public final class Slot {
    private final Region region;
    private final int index;
    private final long base;
    private final long state;
    private final FileLock lock;

    public Slot(Region region, int index, long state, FileLock lock) {
        this.region = region;
        this.index = index;
        this.base = Layout.slot(index);
        this.state = state;
        this.lock = lock;
    }

    public int index() {
        return index;
    }

    public FileLock lock() {
        return lock;
    }

    public long base() {
        return base;
    }

    /** Returns the state that it has as long as its party owns it and is not dropped. */
    public long state() {
        return state;
    }

    /** Returns whether publishers have stopped waiting for this party. */
    public boolean isDropped() {
        return region.getLongAcquire(base + Layout.STATE_AT) == (state | SlotState.DROPPED);
    }

    /** Makes publishers wait for this party again. */
    public void rejoin() {
        region.compareAndSetLong(base + Layout.STATE_AT, state | SlotState.DROPPED, state);
    }

    public boolean isOwned() {
        return (region.getLongAcquire(base + Layout.STATE_AT) & ~SlotState.DROPPED) == state;
    }

    public void position(long position) {
        region.putLongRelease(base + Layout.POSITION_AT, position);
    }
}
