package io.slipstream.core.ring;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Some of the positions at which a claim began, the last {@value #COUNT} that lay an eighth of the ring apart or more. There
 * an observer of frames finds its way again when the frame that it stood at was overwritten, and with it the way to the next.
 */
final class Landmarks {
    private static final int COUNT = 8;

    private final AtomicLongArray positions = new AtomicLongArray(COUNT);
    private final int distance;
    private int newest;

    Landmarks(int capacity) {
        distance = capacity / COUNT;
    }

    /** Called by one thread at a time, with the begin of a claim. */
    void pass(long position) {
        if (position - positions.getPlain(newest) >= distance) {
            newest = (newest + 1) % COUNT;
            positions.setRelease(newest, position);
        }
    }

    /** Returns the first one at or behind {@code position}, or {@code none} if there is none; callable by any thread. */
    long from(long position, long none) {
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
