/** Accounts and transfers with double entry, as a service that is typed from end to end. */
module io.slipstream.ledger {
    requires static org.jspecify;
    requires transitive io.slipstream.service;

    exports io.slipstream.ledger;

    provides io.slipstream.journal.record.PayloadFormat with
            io.slipstream.ledger.LedgerFormat;
}
