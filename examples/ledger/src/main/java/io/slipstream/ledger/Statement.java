package io.slipstream.ledger;

import io.slipstream.data.annotation.MaxLength;
import java.util.List;

/**
 * Transfers of an account, the newest first.
 *
 * @param entries one for each
 */
public record Statement(@MaxLength(TransfersOf.MAX) List<Entry> entries) {
    /**
     * A transfer of an account.
     *
     * @param id     of the transfer
     * @param debit  account that pays
     * @param credit account that receives
     * @param amount of it
     * @param state  what has become of it
     */
    public record Entry(long id, long debit, long credit, long amount, State state) {}

    /** What has become of a transfer. */
    public enum State {
        /** Paid. */
        POSTED,
        /** Set aside. */
        PENDING,
        /** Given back because that was asked for. */
        VOIDED,
        /** Given back because time was up. */
        EXPIRED
    }
}
