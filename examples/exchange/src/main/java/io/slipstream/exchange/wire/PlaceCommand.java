package io.slipstream.exchange.wire;

import io.slipstream.data.annotation.Id;
import io.slipstream.data.codec.Codec;
import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;

/** Places an order. */
@Id(WireType.PLACE)
public interface PlaceCommand {
    /** Reads and writes it. */
    Codec<PlaceCommand> CODEC = Codec.of(PlaceCommand.class);

    /** Returns the number of the instrument. */
    @Id(1)
    int instrument();

    /** Sets the number of the instrument. */
    PlaceCommand instrument(int instrument);

    /** Returns the order's id. */
    @Id(2)
    long orderId();

    /** Sets the order's id. */
    PlaceCommand orderId(long orderId);

    /** Returns the side of the order. */
    @Id(3)
    Side side();

    /** Sets the side of the order. */
    PlaceCommand side(Side side);

    /** Returns the order's type. */
    @Id(4)
    OrderType type();

    /** Sets the order's type. */
    PlaceCommand type(OrderType type);

    /** Returns the limit in ticks; nobody looks at that of a market order. */
    @Id(5)
    long price();

    /** Sets the limit. */
    PlaceCommand price(long price);

    /** Returns the quantity in lots. */
    @Id(6)
    long quantity();

    /** Sets the quantity. */
    PlaceCommand quantity(long quantity);
}
