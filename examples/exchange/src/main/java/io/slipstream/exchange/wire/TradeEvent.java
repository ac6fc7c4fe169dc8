package io.slipstream.exchange.wire;

import io.slipstream.data.annotation.Id;
import io.slipstream.data.codec.Codec;
import io.slipstream.exchange.Side;

/** Tells one side of a trade; who the other side is remains unsaid. */
@Id(WireType.TRADE)
public interface TradeEvent {
    /** Reads and writes it. */
    Codec<TradeEvent> CODEC = Codec.of(TradeEvent.class);

    /** Returns the number of the instrument. */
    @Id(1)
    int instrument();

    /** Sets the number of the instrument. */
    TradeEvent instrument(int instrument);

    /** Returns the order's id. */
    @Id(2)
    long orderId();

    /** Sets the order's id. */
    TradeEvent orderId(long orderId);

    /** Returns which of the two orders it is. */
    @Id(3)
    Role role();

    /** Sets which of the two orders it is. */
    TradeEvent role(Role role);

    /** Returns the side of the order. */
    @Id(4)
    Side side();

    /** Sets the side of the order. */
    TradeEvent side(Side side);

    /** Returns the trade's number: 1 for the first of its instrument. */
    @Id(5)
    long tradeId();

    /** Sets the trade's number. */
    TradeEvent tradeId(long tradeId);

    /** Returns the price: that of the maker. */
    @Id(6)
    long price();

    /** Sets the price. */
    TradeEvent price(long price);

    /** Returns how much was traded. */
    @Id(7)
    long quantity();

    /** Sets how much was traded. */
    TradeEvent quantity(long quantity);

    /** Returns how much of the order is left after the trade. */
    @Id(8)
    long remaining();

    /** Sets how much of the order is left. */
    TradeEvent remaining(long remaining);
}
