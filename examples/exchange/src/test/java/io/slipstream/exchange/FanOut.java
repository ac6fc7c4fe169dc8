package io.slipstream.exchange;

/** Gives each event to two listeners. */
record FanOut(BookListener first, BookListener second) implements BookListener {
    @Override
    public void accepted(long owner, long orderId, Side side, OrderType type, long price, long quantity) {
        first.accepted(owner, orderId, side, type, price, quantity);
        second.accepted(owner, orderId, side, type, price, quantity);
    }

    @Override
    public void rejected(long owner, long orderId, RejectReason reason) {
        first.rejected(owner, orderId, reason);
        second.rejected(owner, orderId, reason);
    }

    @Override
    public void trade(
            long tradeId,
            Side takerSide,
            long makerOwner,
            long makerOrderId,
            long takerOwner,
            long takerOrderId,
            long price,
            long quantity,
            long makerRemaining,
            long takerRemaining) {
        first.trade(
                tradeId,
                takerSide,
                makerOwner,
                makerOrderId,
                takerOwner,
                takerOrderId,
                price,
                quantity,
                makerRemaining,
                takerRemaining);
        second.trade(
                tradeId,
                takerSide,
                makerOwner,
                makerOrderId,
                takerOwner,
                takerOrderId,
                price,
                quantity,
                makerRemaining,
                takerRemaining);
    }

    @Override
    public void replaced(long owner, long orderId, Side side, long price, long remaining, boolean keptPriority) {
        first.replaced(owner, orderId, side, price, remaining, keptPriority);
        second.replaced(owner, orderId, side, price, remaining, keptPriority);
    }

    @Override
    public void cancelled(long owner, long orderId, Side side, long remaining, CancelReason reason) {
        first.cancelled(owner, orderId, side, remaining, reason);
        second.cancelled(owner, orderId, side, remaining, reason);
    }
}
