package io.slipstream.service.logic;

/** The state is not the one that the log says it was: the state machine is not deterministic, or was changed. */
public final class DivergedException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /** Sequence of an entry behind which the state was still the same. */
    private final long after;
    /** Sequence of the entry behind which it was not. */
    private final long upTo;

    DivergedException(long after, long upTo, long logged, long replayed) {
        this(
                after,
                upTo,
                "the state behind entry " + upTo + " has the hash " + Long.toHexString(replayed)
                        + ", and the log says that it was " + Long.toHexString(logged)
                        + advice(after + 1, upTo));
    }

    /** The state that was loaded is not the one that a snapshot says it was. */
    DivergedException(long snapshot, long saved, long loaded, String machine) {
        this(
                0,
                snapshot,
                "the snapshot behind entry " + snapshot + " was loaded, and led to a state with the hash "
                        + Long.toHexString(loaded) + "; the one that was saved has " + Long.toHexString(saved)
                        + ": what 'load' of '" + machine
                        + "' reads is not what 'save' has written, or its code was changed"
                        + " without a new version. `slipstream journal check` says whether the log leads there");
    }

    private DivergedException(long after, long upTo, String message) {
        super(message);
        this.after = after;
        this.upTo = upTo;
    }

    /**
     * Returns that a replay has led to another state than the one that was saved.
     *
     * @param after    sequence of an entry behind which the state was still the same
     * @param snapshot sequence of the entry behind which the state was saved
     */
    public static DivergedException fromSnapshot(long after, long snapshot, long saved, long replayed) {
        return new DivergedException(
                after,
                snapshot,
                "the state behind entry " + snapshot + " has the hash "
                        + Long.toHexString(replayed) + ", and the snapshot of it has " + Long.toHexString(saved)
                        + advice(after + 1, snapshot));
    }

    /** Returns that a replay has led to other sessions, timers or topics than those that were saved. */
    public static DivergedException ofRuntime(long after, long snapshot) {
        return new DivergedException(
                after,
                snapshot,
                "behind entry " + snapshot + " the snapshot has other sessions, timers or topics than a replay of the"
                        + " log leads to: that is a defect of the service, and none of the state machine");
    }

    private static String advice(long from, long to) {
        return ". The state machine diverged at an entry from " + from + " to " + to
                + ": it is not deterministic, or its"
                + " code was changed without a new version. `slipstream journal bisect` finds the entry";
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
