package io.slipstream.ledger;

import io.slipstream.data.annotation.MaxLength;
import io.slipstream.service.typed.Command;
import java.util.List;

/**
 * Does transfers one after the other; one that cannot be done does not keep the others from being done.
 *
 * @param transfers up to {@value #MAX_TRANSFERS}
 */
public record Submit(@MaxLength(MAX_TRANSFERS) List<Transfer> transfers) implements Command<Submitted> {
    /** Most transfers of one command. */
    public static final int MAX_TRANSFERS = 8_190;
}
