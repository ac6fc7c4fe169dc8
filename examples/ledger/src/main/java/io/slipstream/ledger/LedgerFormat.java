package io.slipstream.ledger;

import io.slipstream.service.typed.ContractFormat;

/** Shows the journal of a ledger as text. */
public final class LedgerFormat extends ContractFormat {
    /** Made by the {@link java.util.ServiceLoader}. */
    public LedgerFormat() {
        super(Ledger.CONTRACT);
    }
}
