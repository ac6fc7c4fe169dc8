package io.slipstream.core.sequence;

import io.slipstream.core.memory.PaddedLong;

/**
 * A position that moves forward and that others watch: how far publishers have come, or how far a consumer has.
 *
 * <p>It counts what has been passed, so it is also the next position: 0 before anything has happened. In a ring of
 * events a position is the number of an event; in a ring of frames it is a count of bytes. The value stands alone on
 * its cache lines.
 */
public final class Sequence extends PaddedLong {
    /** Value of a sequence that nothing has moved yet. */
    public static final long INITIAL = 0;

    /** Creates a sequence at {@link #INITIAL}. */
    public Sequence() {
        this(INITIAL);
    }

    /** Creates a sequence at {@code initial}. */
    public Sequence(long initial) {
        super(initial);
    }
}
