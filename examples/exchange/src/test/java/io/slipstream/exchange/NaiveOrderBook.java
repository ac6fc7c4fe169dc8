package io.slipstream.exchange;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A book that is as simple as can be: two sorted lists, searched from one end to the other. */
final class NaiveOrderBook {
    /** Arrival orders those of one price: it is taken anew when an order loses its priority. */
    record Order(
            long owner,
            long orderId,
            Side side,
            OrderType type,
            long price,
            long quantity,
            long remaining,
            long arrival) {
        Order with(long newRemaining) {
            return new Order(owner, orderId, side, type, price, quantity, newRemaining, arrival);
        }
    }

    /** First come, first served. */
    static final Comparator<Order> FIRST_COME = Comparator.comparingLong(Order::arrival);

    private final int maxOrders;
    private final BookListener listener;
    private final Comparator<Order> samePrice;
    private final List<Order> buyers = new ArrayList<>();
    private final List<Order> sellers = new ArrayList<>();
    private long arrivals;
    private long trades;

    /** Orders of one price trade in the order of {@code samePrice}. */
    NaiveOrderBook(int maxOrders, BookListener listener, Comparator<Order> samePrice) {
        this.maxOrders = maxOrders;
        this.listener = listener;
        this.samePrice = samePrice;
    }

    List<Order> orders(Side side) {
        return side == Side.BUY ? buyers : sellers;
    }

    void place(long owner, long orderId, Side side, OrderType type, long price, long quantity) {
        long limit = type != OrderType.MARKET ? price : side == Side.BUY ? OrderBook.MAX_PRICE : 1;
        List<Order> within = orders(side.opposite()).stream()
                .filter(maker -> crosses(side, limit, maker))
                .toList();
        RejectReason reason = null;
        if (quantity <= 0) {
            reason = RejectReason.NON_POSITIVE_QUANTITY;
        } else if (quantity > OrderBook.MAX_QUANTITY) {
            reason = RejectReason.QUANTITY_TOO_LARGE;
        } else if (limit <= 0) {
            reason = RejectReason.NON_POSITIVE_PRICE;
        } else if (limit > OrderBook.MAX_PRICE) {
            reason = RejectReason.PRICE_TOO_LARGE;
        } else if (find(owner, orderId).isPresent()) {
            reason = RejectReason.DUPLICATE_ORDER_ID;
        } else if (type == OrderType.FILL_OR_KILL
                && within.stream().mapToLong(Order::remaining).sum() < quantity) {
            reason = RejectReason.FILL_OR_KILL_NOT_FILLABLE;
        } else if (type == OrderType.POST_ONLY && !within.isEmpty()) {
            reason = RejectReason.POST_ONLY_WOULD_CROSS;
        } else if ((type == OrderType.LIMIT || type == OrderType.POST_ONLY)
                && buyers.size() + sellers.size() == maxOrders) {
            reason = RejectReason.BOOK_FULL;
        }
        if (reason != null) {
            listener.rejected(owner, orderId, reason);
            return;
        }
        listener.accepted(owner, orderId, side, type, price, quantity);
        Order order = new Order(owner, orderId, side, type, limit, quantity, quantity, arrivals++);
        Order rest = match(order);
        if (rest.remaining() == 0) {
            return;
        }
        if (type == OrderType.LIMIT || type == OrderType.POST_ONLY) {
            insert(rest);
        } else {
            listener.cancelled(owner, orderId, side, rest.remaining(), CancelReason.UNFILLED_REMAINDER);
        }
    }

    void cancel(long owner, long orderId) {
        Optional<Order> found = find(owner, orderId);
        if (found.isEmpty()) {
            listener.rejected(owner, orderId, RejectReason.UNKNOWN_ORDER);
            return;
        }
        Order order = found.get();
        orders(order.side()).remove(order);
        listener.cancelled(owner, orderId, order.side(), order.remaining(), CancelReason.REQUESTED);
    }

    void replace(long owner, long orderId, long price, long quantity) {
        Optional<Order> found = find(owner, orderId);
        RejectReason reason = null;
        if (quantity <= 0) {
            reason = RejectReason.NON_POSITIVE_QUANTITY;
        } else if (quantity > OrderBook.MAX_QUANTITY) {
            reason = RejectReason.QUANTITY_TOO_LARGE;
        } else if (price <= 0) {
            reason = RejectReason.NON_POSITIVE_PRICE;
        } else if (price > OrderBook.MAX_PRICE) {
            reason = RejectReason.PRICE_TOO_LARGE;
        } else if (found.isEmpty()) {
            reason = RejectReason.UNKNOWN_ORDER;
        }
        if (reason != null) {
            listener.rejected(owner, orderId, reason);
            return;
        }
        Order old = found.orElseThrow();
        long remaining = quantity - (old.quantity() - old.remaining());
        if (remaining <= 0) {
            orders(old.side()).remove(old);
            listener.cancelled(owner, orderId, old.side(), old.remaining(), CancelReason.REPLACED_BY_FILLED_QUANTITY);
            return;
        }
        boolean keeps = price == old.price() && remaining <= old.remaining();
        if (old.type() == OrderType.POST_ONLY
                && orders(old.side().opposite()).stream().anyMatch(maker -> crosses(old.side(), price, maker))) {
            listener.rejected(owner, orderId, RejectReason.POST_ONLY_WOULD_CROSS);
            return;
        }
        orders(old.side()).remove(old);
        listener.replaced(owner, orderId, old.side(), price, remaining, keeps);
        Order rest = match(new Order(
                owner,
                orderId,
                old.side(),
                old.type(),
                price,
                quantity,
                remaining,
                keeps ? old.arrival() : arrivals++));
        if (rest.remaining() > 0) {
            insert(rest);
        }
    }

    private Order match(Order taker) {
        List<Order> makers = orders(taker.side().opposite());
        long remaining = taker.remaining();
        while (remaining > 0 && !makers.isEmpty() && crosses(taker.side(), taker.price(), makers.getFirst())) {
            Order maker = makers.removeFirst();
            long traded = Math.min(maker.remaining(), remaining);
            remaining -= traded;
            Order left = maker.with(maker.remaining() - traded);
            trades++;
            listener.trade(
                    trades,
                    taker.side(),
                    maker.owner(),
                    maker.orderId(),
                    taker.owner(),
                    taker.orderId(),
                    maker.price(),
                    traded,
                    left.remaining(),
                    remaining);
            if (left.remaining() > 0) {
                makers.addFirst(left);
            }
        }
        return taker.with(remaining);
    }

    private void insert(Order order) {
        List<Order> own = orders(order.side());
        own.add(order);
        Comparator<Order> byPrice = Comparator.comparingLong(Order::price);
        own.sort((order.side() == Side.BUY ? byPrice.reversed() : byPrice).thenComparing(samePrice));
    }

    private Optional<Order> find(long owner, long orderId) {
        for (List<Order> side : List.of(buyers, sellers)) {
            for (Order order : side) {
                if (order.owner() == owner && order.orderId() == orderId) {
                    return Optional.of(order);
                }
            }
        }
        return Optional.empty();
    }

    private static boolean crosses(Side side, long limit, Order maker) {
        return side == Side.BUY ? maker.price() <= limit : maker.price() >= limit;
    }
}
