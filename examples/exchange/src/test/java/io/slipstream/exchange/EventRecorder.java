package io.slipstream.exchange;

import java.util.ArrayList;
import java.util.List;

/** Keeps all events. */
final class EventRecorder implements BookListener {
    private final List<Event> events = new ArrayList<>();

    List<Event> events() {
        return events;
    }

    /** The events since the last call. */
    List<Event> take() {
        List<Event> taken = List.copyOf(events);
        events.clear();
        return taken;
    }

    @Override
    public void accepted(long owner, long orderId, Side side, OrderType type, long price, long quantity) {
        events.add(new Event.Accepted(owner, orderId, side, type, price, quantity));
    }

    @Override
    public void rejected(long owner, long orderId, RejectReason reason) {
        events.add(new Event.Rejected(owner, orderId, reason));
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
        events.add(new Event.Trade(
                tradeId,
                takerSide,
                makerOwner,
                makerOrderId,
                takerOwner,
                takerOrderId,
                price,
                quantity,
                makerRemaining,
                takerRemaining));
    }

    @Override
    public void replaced(long owner, long orderId, Side side, long price, long remaining, boolean keptPriority) {
        events.add(new Event.Replaced(owner, orderId, side, price, remaining, keptPriority));
    }

    @Override
    public void cancelled(long owner, long orderId, Side side, long remaining, CancelReason reason) {
        events.add(new Event.Cancelled(owner, orderId, side, remaining, reason));
    }
}
