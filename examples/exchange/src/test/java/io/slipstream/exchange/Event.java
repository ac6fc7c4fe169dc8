package io.slipstream.exchange;

/** The events of a {@link BookListener} as values. */
sealed interface Event {
    record Accepted(long owner, long orderId, Side side, OrderType type, long price, long quantity) implements Event {}

    record Rejected(long owner, long orderId, RejectReason reason) implements Event {}

    record Trade(
            long tradeId,
            Side takerSide,
            long makerOwner,
            long makerOrderId,
            long takerOwner,
            long takerOrderId,
            long price,
            long quantity,
            long makerRemaining,
            long takerRemaining)
            implements Event {}

    record Replaced(long owner, long orderId, Side side, long price, long remaining, boolean keptPriority)
            implements Event {}

    record Cancelled(long owner, long orderId, Side side, long remaining, CancelReason reason) implements Event {}
}
