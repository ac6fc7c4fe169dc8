package io.slipstream.core.sequencer;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Positions at which a claim began, one in each eighth of the ring, the last that was noticed there. There
 * an observer of frames finds its way again when the frame that it stood at was overwritten, and with it the way to the
 * next.
 *
 * <p>Callable by any thread.
 */
public final class Landmarks {
    private static final int COUNT = 8;

    private final AtomicLongArray positions = new AtomicLongArray(COUNT);
    private final int shift;

    public Landmarks(int capacity) {
        shift = Integer.numberOfTrailingZeros(Math.max(1, capacity / COUNT));
    }

    /** Notices a position at which a claim begins. The first one of each eighth stays until the next lap. */
    public void pass(long position) {
        long eighth = position >>> shift;
        int place = (int) eighth & (COUNT - 1);
        long former = positions.getAcquire(place);
        if (former >>> shift < eighth) {
            // Whoever is faster has noticed one of this eighth, or of a later lap.
            positions.compareAndSet(place, former, position);
        }
    }

    /** Returns the first one at or behind {@code position}, or {@code none} if there is none. */
    public long from(long position, long none) {
        long first = Long.MAX_VALUE;
        for (int i = 0; i < COUNT; i++) {
            long landmark = positions.getAcquire(i);
            if (landmark >= position) {
                first = Math.min(first, landmark);
            }
        }
        return first == Long.MAX_VALUE ? none : first;
    }
}
