package io.slipstream.journal;

import io.slipstream.core.sequence.Sequence;

/** The sequence of the last record of which something is true, for those who only look. Any thread may. */
public final class Watermark {
    private final Sequence sequence;

    Watermark(Sequence sequence) {
        this.sequence = sequence;
    }

    /** Returns the sequence, and sees all that was done before it was moved there. */
    public long getAcquire() {
        return sequence.getAcquire();
    }

    @Override
    public String toString() {
        return Long.toString(getAcquire());
    }
}
