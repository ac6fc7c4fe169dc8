package io.slipstream.exchange.wire;

import io.slipstream.data.annotation.Id;
import io.slipstream.data.codec.Codec;

/** Gives an order another price, another total quantity, or both. */
@Id(WireType.REPLACE)
public interface ReplaceCommand {
    /** Reads and writes it. */
    Codec<ReplaceCommand> CODEC = Codec.of(ReplaceCommand.class);

    /** Returns the number of the instrument. */
    @Id(1)
    int instrument();

    /** Sets the number of the instrument. */
    ReplaceCommand instrument(int instrument);

    /** Returns the order's id. */
    @Id(2)
    long orderId();

    /** Sets the order's id. */
    ReplaceCommand orderId(long orderId);

    /** Returns the new limit in ticks. */
    @Id(3)
    long price();

    /** Sets the new limit. */
    ReplaceCommand price(long price);

    /** Returns the new total quantity, with what has traded already. */
    @Id(4)
    long quantity();

    /** Sets the new total quantity. */
    ReplaceCommand quantity(long quantity);
}
