package io.slipstream.exchange.wire;

import io.slipstream.data.annotation.Id;
import io.slipstream.data.codec.Codec;

/** Cancels what is left of an order. */
@Id(WireType.CANCEL)
public interface CancelCommand {
    /** Reads and writes it. */
    Codec<CancelCommand> CODEC = Codec.of(CancelCommand.class);

    /** Returns the number of the instrument. */
    @Id(1)
    int instrument();

    /** Sets the number of the instrument. */
    CancelCommand instrument(int instrument);

    /** Returns the order's id. */
    @Id(2)
    long orderId();

    /** Sets the order's id. */
    CancelCommand orderId(long orderId);
}
