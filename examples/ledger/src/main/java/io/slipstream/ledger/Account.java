package io.slipstream.ledger;

/**
 * What an account has come to.
 *
 * @param account       its number
 * @param debits        that are posted
 * @param credits       that are posted
 * @param pendingDebits set aside by transfers in two phases
 * @param pendingCredits that transfers in two phases will bring
 */
public record Account(long account, long debits, long credits, long pendingDebits, long pendingCredits) {
    /** Returns what can be spent. */
    public long available() {
        return credits - debits - pendingDebits;
    }
}
