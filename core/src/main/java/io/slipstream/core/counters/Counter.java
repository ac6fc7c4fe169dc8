package io.slipstream.core.counters;

import io.slipstream.core.memory.Region;

/**
 * One number, written by the one thread that owns it and read by any thread or process.
 *
 * <p>Writes are ordered: who reads a value sees what its owner did before.
 */
public final class Counter {
    private final Region region;
    private final long offset;
    private boolean isFree;

    Counter(Region region, long offset) {
        this.region = region;
        this.offset = offset;
    }

    boolean isIn(Region itsRegion) {
        return region == itsRegion;
    }

    long offset() {
        return offset;
    }

    /** Notes that the counter is free; guarded by the counters. Returns whether it was not. */
    boolean free() {
        boolean wasInUse = !isFree;
        isFree = true;
        return wasInUse;
    }

    /** Sets the value; only for the owner. */
    public void setRelease(long value) {
        region.putLongRelease(offset, value);
    }

    /** Adds {@code delta}; only for the owner, as it is no atomic read-modify-write. */
    public void addRelease(long delta) {
        region.putLongRelease(offset, region.getLong(offset) + delta);
    }

    /** Returns the value. */
    public long getAcquire() {
        return region.getLongAcquire(offset);
    }
}
