package io.slipstream.cluster.log;

import io.slipstream.service.logic.LogicError;

/** The state machine has thrown an {@link Error} at an entry, as it will at every member and at each start. */
public final class PoisonedEntryException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final long sequence;

    PoisonedEntryException(LogicError error) {
        super(
                "the state machine has thrown " + error.getCause() + " at log entry " + error.sequence() + " in "
                        + error.within()
                        + ". If the next start fails there as well, fix the state machine at all members, or skip"
                        + " the entry at all of them: stop them, say `" + error.skip()
                        + "` here and the same for the folder of each other one, and start them",
                error);
        this.sequence = error.sequence();
    }

    /** Returns the sequence of the entry. */
    public long sequence() {
        return sequence;
    }
}
