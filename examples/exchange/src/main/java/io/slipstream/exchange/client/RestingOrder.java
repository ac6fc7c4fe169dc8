package io.slipstream.exchange.client;

import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;

/**
 * An order in the book.
 *
 * @param quantity  the total, traded and open
 * @param remaining what is open
 */
public record RestingOrder(
        int instrument, long orderId, Side side, OrderType type, long price, long quantity, long remaining) {}
