package io.slipstream.sim.workload;

import io.slipstream.service.protocol.FailureCode;

/**
 * How a command or a query of a {@link Workload} has ended.
 *
 * @param outcome what has become of it
 * @param reply   of the machine; empty if the outcome is not {@link Outcome#REPLIED}
 * @param reason  why it has no reply; empty if it has
 */
public record Answer(Outcome outcome, byte[] reply, String reason) {
    private static final byte[] NONE = {};

    /** What has become of it. */
    public enum Outcome {
        /** The machine has applied the command or answered the query, and this is its reply. */
        REPLIED,
        /** The machine has applied the command, and its reply is no longer kept. */
        APPLIED,
        /** The machine has rejected it; the reason is the machine's. */
        REJECTED,
        /** The machine has thrown an exception, or an operator had the command skipped. */
        FAILED,
        /** The service or the client had no room for it: the command was not applied, and never will be. */
        REFUSED,
        /** The command was applied, or not, or it will be; the query has no answer. */
        UNKNOWN
    }

    /** Returns the answer of a machine that has replied. */
    public static Answer replied(byte[] reply) {
        return new Answer(Outcome.REPLIED, reply, "");
    }

    /** Returns the answer to what nobody had room for. */
    public static Answer refused(String reason) {
        return new Answer(Outcome.REFUSED, NONE, reason);
    }

    /** Returns the answer to what may have been applied, or not. */
    public static Answer unknown(String reason) {
        return new Answer(Outcome.UNKNOWN, NONE, reason);
    }

    /** Returns what a failure of that code means. */
    public static Answer failed(FailureCode code, String reason) {
        return new Answer(
                switch (code) {
                    case UNKNOWN, TOO_OLD -> Outcome.UNKNOWN;
                    case ALREADY_APPLIED -> Outcome.APPLIED;
                    case REJECTED -> Outcome.REJECTED;
                    case LOGIC_FAILED -> Outcome.FAILED;
                    default -> Outcome.REFUSED;
                },
                NONE,
                reason);
    }
}
