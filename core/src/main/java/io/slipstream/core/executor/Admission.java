package io.slipstream.core.executor;

import io.slipstream.core.ring.Sequence;

/** A number of places, taken one by one and given back; once closed none is given any more. */
final class Admission {
    private static final long CLOSED = 1L << 62;

    private final long limit;
    private final Sequence taken = new Sequence();

    Admission(long limit) {
        this.limit = limit;
    }

    boolean tryAdmit() {
        long count;
        do {
            count = taken.getAcquire();
            if (count >= limit) {
                return false;
            }
        } while (!taken.compareAndSet(count, count + 1));
        return true;
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
