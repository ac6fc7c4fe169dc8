package io.slipstream.ipc;

import io.slipstream.core.memory.Region;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileLock;

/** The slot of a living party of this process. */
final class Slot {
    private final Region region;
    private final int index;
    private final long base;
    private final long state;
    private final FileLock lock;

    Slot(Region region, int index, long state, FileLock lock) {
        this.region = region;
        this.index = index;
        this.base = Layout.slot(index);
        this.state = state;
        this.lock = lock;
    }

    int index() {
        return index;
    }

    FileLock lock() {
        return lock;
    }

    long base() {
        return base;
    }

    /** Returns whether publishers have stopped waiting for this party. */
    boolean isDropped() {
        return region.getLongAcquire(base + Layout.STATE_AT) == (state | SlotState.DROPPED);
    }

    /** Makes publishers wait for this party again. */
    void rejoin() {
        region.compareAndSetLong(base + Layout.STATE_AT, state | SlotState.DROPPED, state);
    }

    boolean isOwned() {
        return (region.getLongAcquire(base + Layout.STATE_AT) & ~SlotState.DROPPED) == state;
    }

    void position(long position) {
        region.putLongRelease(base + Layout.POSITION_AT, position);
    }

    static void release(FileLock lock) {
        try {
            lock.release();
        } catch (ClosedChannelException e) {
            // The file is closed, and so the kernel has released all locks.
        } catch (IOException e) {
            throw new UncheckedIOException("cannot release a kernel lock", e);
        }
    }
}
