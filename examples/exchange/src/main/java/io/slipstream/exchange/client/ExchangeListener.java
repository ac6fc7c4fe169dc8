package io.slipstream.exchange.client;

import io.slipstream.exchange.Side;
import io.slipstream.exchange.wire.OrderChange;
import io.slipstream.exchange.wire.OrderStatus;
import io.slipstream.exchange.wire.Rejection;
import io.slipstream.exchange.wire.Role;
import io.slipstream.service.client.ServiceException;

/**
 * Receives what happens to a client's orders, and the answers to what was offered.
 *
 * <p>All calls come from the client's own thread, in the order in which the exchange sent them: what a command causes
 * comes before its reply. A listener must not block, nor wait for an answer: nothing else is received meanwhile.
 *
 * <p>{@code sequence} is the position in the exchange's log of the command that caused the event; it never decreases.
 */
public interface ExchangeListener {
    /**
     * One of this client's orders has traded. A trade between two orders of this client is reported twice.
     *
     * @param role whether this order rested or arrived
     * @param tradeId 1 for the instrument's first trade, and one more for each later one
     * @param remaining what is left of this order
     */
    default void onTrade(
            long sequence,
            int instrument,
            long orderId,
            Role role,
            Side side,
            long tradeId,
            long price,
            long quantity,
            long remaining) {}

    /**
     * One of this client's orders was changed or cancelled.
     *
     * @param price the order's new price; 0 if it was cancelled
     * @param remaining what is open; if it was cancelled, what has not traded
     */
    default void onUpdate(
            long sequence, int instrument, long orderId, OrderChange change, Side side, long price, long remaining) {}

    /**
     * A command that was offered was answered.
     *
     * @param attachment what was given with the command
     * @param status what has become of the order; {@link OrderStatus#REJECTED} if the command was refused
     * @param rejection why it was refused, or {@link Rejection#NONE}
     * @param filled how much the command has traded
     * @param remaining how much of the order has not traded
     */
    default void onReply(
            long attachment,
            long sequence,
            OrderStatus status,
            Rejection rejection,
            int instrument,
            long orderId,
            long filled,
            long remaining) {}

    /** A command that was offered has failed, or its outcome cannot be known; {@code failure} says which. */
    default void onFailure(long attachment, ServiceException failure) {}

    /** A command that was offered was not applied because the exchange has too much to do. */
    default void onBusy(long attachment, long retryAfterNanos) {}

    /**
     * The connection was lost for so long that the exchange no longer keeps all trades and updates, or replies, that
     * this client has not seen: ask for the orders that matter.
     */
    default void onMissedEvents() {}
}
