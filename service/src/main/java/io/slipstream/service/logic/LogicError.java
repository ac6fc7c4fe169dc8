package io.slipstream.service.logic;

/**
 * The state machine has thrown an {@link Error} at an entry of the log; what it had changed by then nobody knows, so
 * the service stops. The next start comes to the same entry.
 */
public final class LogicError extends Error {
    private static final long serialVersionUID = 1;

    private final long sequence;

    LogicError(long sequence, short type, long session, Error cause) {
        super(
                "the state machine has thrown " + cause + " at log entry " + sequence + " (message type " + type
                        + ", session " + session + "). If the next start fails there as well, fix the state machine,"
                        + " or skip the entry with `slipstream journal skip DIR " + sequence + "`",
                cause);
        this.sequence = sequence;
    }

    /** Returns the sequence of the entry. */
    public long sequence() {
        return sequence;
    }
}
