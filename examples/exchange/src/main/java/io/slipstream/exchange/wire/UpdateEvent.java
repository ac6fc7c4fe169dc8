package io.slipstream.exchange.wire;

import io.slipstream.data.annotation.Id;
import io.slipstream.data.codec.Codec;
import io.slipstream.exchange.Side;

/** Tells the owner of an order that it was changed or cancelled. */
@Id(WireType.UPDATE)
public interface UpdateEvent {
    /** Reads and writes it. */
    Codec<UpdateEvent> CODEC = Codec.of(UpdateEvent.class);

    /** Returns the number of the instrument. */
    @Id(1)
    int instrument();

    /** Sets the number of the instrument. */
    UpdateEvent instrument(int instrument);

    /** Returns the order's id. */
    @Id(2)
    long orderId();

    /** Sets the order's id. */
    UpdateEvent orderId(long orderId);

    /** Returns what has happened to the order. */
    @Id(3)
    OrderChange change();

    /** Sets what has happened to the order. */
    UpdateEvent change(OrderChange change);

    /** Returns the side of the order. */
    @Id(4)
    Side side();

    /** Sets the side of the order. */
    UpdateEvent side(Side side);

    /** Returns the new price; 0 if the order was cancelled. */
    @Id(5)
    long price();

    /** Sets the new price. */
    UpdateEvent price(long price);

    /** Returns how much is open; if the order was cancelled, how much of it has not traded. */
    @Id(6)
    long remaining();

    /** Sets how much is open. */
    UpdateEvent remaining(long remaining);
}
