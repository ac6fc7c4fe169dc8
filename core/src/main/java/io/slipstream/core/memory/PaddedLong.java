package io.slipstream.core.memory;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;
import static java.lang.invoke.MethodHandles.lookup;

import java.lang.invoke.VarHandle;

/**
 * A {@code long} alone on its cache lines: at least {@link CacheLine#PADDING_BYTES} of padding on either side keep
 * neighbours, and the pair-wise prefetching of lines, from slowing its owner down.
 *
 * <p>Hot state is composed of such cells. The order of each access is in its name; a {@code Release} pairs with an
 * {@code Acquire}: what the writer did before the one is visible after the other. An {@code Opaque} access is atomic
 * and never optimised away, and orders nothing else; a {@code Plain} one is for the only thread that writes the cell.
 */
public class PaddedLong extends PaddedLongValue.Padded {
    private static final VarHandle VALUE = fieldVarHandle(
                    lookup(), "value", VarHandle.class, PaddedLongValue.class, long.class)
            .withInvokeExactBehavior();

    /** Creates a cell that holds {@code initial}. */
    public PaddedLong(long initial) {
        value = initial;
        VarHandle.releaseFence();
    }

    /** Reads without ordering; for the owner of the cell. */
    public final long getPlain() {
        return value;
    }

    /** Writes without ordering; for the owner of the cell. */
    public final void setPlain(long newValue) {
        value = newValue;
    }

    /** Reads atomically, without ordering. */
    public final long getOpaque() {
        return (long) VALUE.getOpaque((PaddedLongValue) this);
    }

    /** Reads with acquire order. */
    public final long getAcquire() {
        return (long) VALUE.getAcquire((PaddedLongValue) this);
    }

    /** Writes with release order. */
    public final void setRelease(long newValue) {
        VALUE.setRelease((PaddedLongValue) this, newValue);
    }

    /** Reads with the order of a volatile. */
    public final long getVolatile() {
        return (long) VALUE.getVolatile((PaddedLongValue) this);
    }

    /** Writes with the order of a volatile. */
    public final void setVolatile(long newValue) {
        VALUE.setVolatile((PaddedLongValue) this, newValue);
    }

    /** Moves the value from {@code expected} to {@code newValue} if it is there; the order is that of a volatile. */
    public final boolean compareAndSet(long expected, long newValue) {
        return VALUE.compareAndSet((PaddedLongValue) this, expected, newValue);
    }

    /** Adds {@code delta} and returns the former value; the order is that of a volatile. */
    public final long getAndAdd(long delta) {
        return (long) VALUE.getAndAdd((PaddedLongValue) this, delta);
    }

    @Override
    public String toString() {
        return Long.toString(getAcquire());
    }
}
