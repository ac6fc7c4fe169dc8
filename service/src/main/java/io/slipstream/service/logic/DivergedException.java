package io.slipstream.service.logic;

/** The state is not the one that the log says it was: the state machine is not deterministic, or was changed. */
public final class DivergedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Sequence of an entry behind which the state was still the same. */
    private final long after;
    /** Sequence of the entry behind which it was not. */
    private final long upTo;

    DivergedException(long after, long upTo, long logged, long replayed) {
        super("the state behind entry " + upTo + " has the hash " + Long.toHexString(replayed)
                + ", and the log says that it was " + Long.toHexString(logged)
                + ". The state machine diverged at an entry from " + (after + 1) + " to " + upTo
                + ": it is not deterministic, or its code was changed without a new version."
                + " `slipstream journal bisect` finds the entry");
        this.after = after;
        this.upTo = upTo;
    }

    /** Returns the sequence of an entry behind which the state was still the one that the log says. */
    public long after() {
        return after;
    }

    /** Returns the sequence of the first entry behind which it is known not to be. */
    public long upTo() {
        return upTo;
    }
}
