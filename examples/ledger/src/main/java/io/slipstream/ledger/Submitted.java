package io.slipstream.ledger;

import io.slipstream.data.annotation.MaxLength;
import java.util.List;

/**
 * What became of the transfers of a {@link Submit}: all were done but these.
 *
 * @param failures in the order of the transfers
 */
public record Submitted(@MaxLength(Submit.MAX_TRANSFERS) List<Failure> failures) {
    /**
     * A transfer that was not done.
     *
     * @param index  of the transfer in its command
     * @param reason why
     */
    public record Failure(int index, Reason reason) {}

    /** Why a transfer was not done. */
    public enum Reason {
        /** A transfer of that id was done before. */
        EXISTS,
        /** There is no such account to debit. */
        NO_DEBIT_ACCOUNT,
        /** There is no such account to credit. */
        NO_CREDIT_ACCOUNT,
        /** Both accounts are the same. */
        SAME_ACCOUNT,
        /** The amount is not more than 0. */
        BAD_AMOUNT,
        /** The debited account has not as much. */
        OVERDRAWN,
        /** A total would not fit into 63 bits. */
        OVERFLOW,
        /** There is no such pending transfer. */
        NOT_PENDING,
        /** A pending transfer expires after a negative time. */
        BAD_SECONDS
    }
}
