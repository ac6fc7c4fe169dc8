package io.slipstream.core.executor;

import io.slipstream.core.sequence.Sequence;

/** A number of places, taken one by one and given back; once closed none is given any more. */
class PlaceCount {
    private static final long CLOSED = 1L << 62;

    private final long limit;
    final Sequence taken = new Sequence();

    PlaceCount(long limit) {
        this.limit = limit;
    }

    boolean tryAdmit() {
        long count;
        do {
            count = taken.getAcquire();
            if (count >= limit) {
                return false;
            }
        } while (!take(count));
        return true;
    }

    /** Takes a place if {@code count} of them are taken still. */
    boolean take(long count) {
        return taken.compareAndSet(count, count + 1);
    }

    /** Gives a place back; returns whether it was the last one taken, and the admission is closed. */
    boolean release() {
        return taken.getAndAdd(-1) - 1 == CLOSED;
    }

    void close() {
        long count;
        do {
            count = taken.getAcquire();
        } while (count < CLOSED && !taken.compareAndSet(count, count + CLOSED));
    }

    int count() {
        return (int) (taken.getAcquire() & ~CLOSED);
    }
}
