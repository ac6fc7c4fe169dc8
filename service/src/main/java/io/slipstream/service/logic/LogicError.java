package io.slipstream.service.logic;

/**
 * The state machine has thrown an {@link Error} at an entry of the log, or anything in an upgrade; what it had changed
 * by then nobody knows, so the service stops. The next start comes to the same entry.
 */
public final class LogicError extends Error {
    private static final long serialVersionUID = 1;

    private final long sequence;
    private final String within;
    private final String skip;

    LogicError(long sequence, String within, String skipCommand, Throwable cause) {
        super(
                "the state machine has thrown " + cause + " at log entry " + sequence + " in " + within
                        + ". If the next start fails there as well, fix the state machine"
                        + (skipCommand.isEmpty()
                                ? ""
                                : ", or skip the entry with `" + skipCommand + " " + sequence + "`"),
                cause);
        this.sequence = sequence;
        this.within = within;
        this.skip = skipCommand + " " + sequence;
    }

    /** Says what the machine was in: a command and its session, or a timer and when it was due. */
    public String within() {
        return within;
    }

    /** Returns what an operator says to have the entry skipped; see {@link LogicLimits#skipCommand}. */
    public String skip() {
        return skip;
    }

    /** Returns the sequence of the entry. */
    public long sequence() {
        return sequence;
    }
}
