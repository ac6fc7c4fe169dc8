package io.slipstream.core.memory;

import java.lang.invoke.VarHandle;

import static java.lang.invoke.ConstantBootstraps.fieldVarHandle;
import static java.lang.invoke.MethodHandles.lookup;

/**
 * A {@code long} alone on its cache lines: at least {@link CacheLine#PADDING_BYTES} of padding on either side keep
 * neighbours, and the pair-wise prefetching of lines, from slowing its owner down.
 *
 * <p>Hot state is composed of such cells. The order of each access is in its name; a {@code Release} pairs with an
 * {@code Acquire}: what the writer did before the one is visible after the other. An {@code Opaque} access is atomic and
 * never optimised away, and orders nothing else; a {@code Plain} one is for the only thread that writes the cell.
 */
@SuppressWarnings("unused")
public class PaddedLong extends PaddedLongValue {
    private static final VarHandle VALUE = fieldVarHandle(
            lookup(), "value", VarHandle.class, PaddedLongValue.class, long.class).withInvokeExactBehavior();

    byte r000, r001, r002, r003, r004, r005, r006, r007, r008, r009, r010, r011, r012, r013, r014, r015;
    byte r016, r017, r018, r019, r020, r021, r022, r023, r024, r025, r026, r027, r028, r029, r030, r031;
    byte r032, r033, r034, r035, r036, r037, r038, r039, r040, r041, r042, r043, r044, r045, r046, r047;
    byte r048, r049, r050, r051, r052, r053, r054, r055, r056, r057, r058, r059, r060, r061, r062, r063;
    byte r064, r065, r066, r067, r068, r069, r070, r071, r072, r073, r074, r075, r076, r077, r078, r079;
    byte r080, r081, r082, r083, r084, r085, r086, r087, r088, r089, r090, r091, r092, r093, r094, r095;
    byte r096, r097, r098, r099, r100, r101, r102, r103, r104, r105, r106, r107, r108, r109, r110, r111;
    byte r112, r113, r114, r115, r116, r117, r118, r119, r120, r121, r122, r123, r124, r125, r126, r127;
    byte r128, r129, r130, r131, r132, r133, r134, r135, r136, r137, r138, r139, r140, r141, r142, r143;

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

/** The value between its paddings. */
abstract class PaddedLongValue extends Padding {
    long value;
}
