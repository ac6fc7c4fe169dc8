package io.slipstream.exchange;

import org.jspecify.annotations.Nullable;

/**
 * A limit order book for one instrument, with price-time priority.
 *
 * <p>An order is named by its owner and an id which the owner chooses: two owners never collide, and nobody can touch, or
 * even ask for, an order of another. An id may be used again once its order has left the book. Prices and quantities
 * are whole numbers of ticks and lots.
 *
 * <p><b>Priority.</b> Among orders of one price, who came first trades first. A replacement that keeps the price and does
 * not raise the quantity keeps its place; every other one goes to the end of the line.
 *
 * <p><b>Owners may trade with themselves;</b> the book does not prevent it.
 *
 * <p>Deterministic: the same commands give the same events and the same {@link #stateHash()}, on every machine. Every
 * command takes time in proportion to the trades it causes, whatever the size of the book, and allocates nothing once
 * the book has been as full, and its prices as far apart, as they get. For one thread at a time.
 */
public final class OrderBook {
    /** The highest price; the lowest is 1. */
    public static final long MAX_PRICE = (1L << 60) - 1;

    /** The largest quantity of one order; the smallest is 1. */
    public static final long MAX_QUANTITY = (1L << 40) - 1;

    /** The largest number of orders that a book, or an exchange, can be made for. */
    public static final int MAX_ORDERS = OrderPool.MAX_CAPACITY;

    private static final int NONE = OrderPool.NONE;

    private final int number;
    private final OrderPool orders;
    private final LevelPool levels;
    private final BookSide bids;
    private final BookSide asks;
    private final BookListener listener;
    private long trades;

    /**
     * Makes a book that stands alone.
     *
     * @param maxOrders how many orders may rest at a time, 1 to {@link #MAX_ORDERS}; takes about 130 bytes for each
     */
    public OrderBook(int maxOrders, BookListener listener) {
        this(0, new OrderPool(maxOrders), new LevelPool(maxOrders), listener);
    }

    /** Makes a book that shares its room with others, each of another number. */
    OrderBook(int number, OrderPool orders, LevelPool levels, BookListener listener) {
        this.number = number;
        this.orders = orders;
        this.levels = levels;
        this.bids = new BookSide(levels, Side.BUY);
        this.asks = new BookSide(levels, Side.SELL);
        this.listener = listener;
    }

    /**
     * Places an order.
     *
     * <p>A {@link OrderType#LIMIT} or {@link OrderType#POST_ONLY} order needs a free place when it arrives, even if it
     * would trade at once.
     *
     * @param price the limit; not looked at for {@link OrderType#MARKET}
     */
    public void place(long owner, long orderId, Side side, OrderType type, long price, long quantity) {
        BookSide opposite = side(side.opposite());
        long limitKey = type == OrderType.MARKET ? BookSide.NO_KEY - 1 : opposite.key(price);
        RejectReason refusal = refusal(owner, orderId, type, price, quantity, opposite, limitKey);
        if (refusal != null) {
            listener.rejected(owner, orderId, refusal);
            return;
        }
        listener.accepted(owner, orderId, side, type, price, quantity);
        long remaining = opposite.bestKey() <= limitKey
                ? match(owner, orderId, side, opposite, limitKey, quantity) : quantity;
        if (remaining == 0) {
            return;
        }
        if (type.rests()) {
            int order = orders.take(number, owner, orderId, side, type == OrderType.POST_ONLY, quantity, remaining);
            rest(order, side(side), price);
        } else {
            listener.cancelled(owner, orderId, side, remaining, CancelReason.UNFILLED_REMAINDER);
        }
    }

    /** Cancels what is left of an order. */
    public void cancel(long owner, long orderId) {
        int order = orders.find(owner, orderId);
        if (order == NONE || orders.book(order) != number) {
            listener.rejected(owner, orderId, RejectReason.UNKNOWN_ORDER);
            return;
        }
        cancel(order, CancelReason.REQUESTED);
    }

    /**
     * Gives an order another price, another quantity, or both.
     *
     * @param quantity the new total, with what has traded already; so a fill that crosses this command on its way
     *     makes the order no larger than its owner wanted. An order that has traded as much or more is cancelled.
     */
    public void replace(long owner, long orderId, long price, long quantity) {
        RejectReason refusal = refusal(price, quantity);
        if (refusal != null) {
            listener.rejected(owner, orderId, refusal);
            return;
        }
        int order = orders.find(owner, orderId);
        if (order == NONE || orders.book(order) != number) {
            listener.rejected(owner, orderId, RejectReason.UNKNOWN_ORDER);
            return;
        }
        long remaining = quantity - (orders.total(order) - orders.remaining(order));
        if (remaining <= 0) {
            cancel(order, CancelReason.REPLACED_BY_FILLED_QUANTITY);
            return;
        }
        Side side = orders.isSell(order) ? Side.SELL : Side.BUY;
        BookSide own = side(side);
        int level = orders.level(order);
        if (levels.key(level) == own.key(price)) {
            resize(order, level, side, price, quantity, remaining);
            return;
        }
        BookSide opposite = side(side.opposite());
        long limitKey = opposite.key(price);
        if (opposite.bestKey() <= limitKey) {
            replaceAcross(order, side, price, quantity, remaining, limitKey);
        } else {
            listener.replaced(owner, orderId, side, price, remaining, false);
            move(order, own, level, price, quantity, remaining);
        }
    }

    /** The best price of a side, or 0 if nobody wants to trade on it. */
    public long bestPrice(Side side) {
        BookSide own = side(side);
        return own.best() == NONE ? 0 : own.price(own.bestKey());
    }

    /** The open quantity at the best price of a side, or 0. */
    public long bestQuantity(Side side) {
        int best = side(side).best();
        return best == NONE ? 0 : levels.quantity(best);
    }

    /** Shows the best levels of a side, best first, and returns how many there were to show. */
    public int depth(Side side, int maxLevels, LevelVisitor visitor) {
        BookSide own = side(side);
        int shown = 0;
        for (int level = own.best(); level != NONE && shown < maxLevels; level = own.next(level)) {
            visitor.level(own.price(levels.key(level)), levels.quantity(level), levels.orders(level));
            shown++;
        }
        return shown;
    }

    /** Shows an order, and returns whether it rests in this book. */
    public boolean order(long owner, long orderId, OrderVisitor visitor) {
        int order = orders.find(owner, orderId);
        if (order == NONE || orders.book(order) != number) {
            return false;
        }
        Side side = orders.isSell(order) ? Side.SELL : Side.BUY;
        show(order, side, side(side).price(levels.key(orders.level(order))), visitor);
        return true;
    }

    /** Shows all orders of a side, in the order in which they would trade. */
    public void orders(Side side, OrderVisitor visitor) {
        BookSide own = side(side);
        for (int level = own.best(); level != NONE; level = own.next(level)) {
            long price = own.price(levels.key(level));
            for (int order = levels.first(level); order != NONE; order = orders.next(order)) {
                show(order, side, price, visitor);
            }
        }
    }

    /** How many trades there have been since the book began. */
    public long trades() {
        return trades;
    }

    /**
     * A number that is the same for books with the same orders in the same priority and the same count of trades, and
     * almost surely another one for all others. Reads the whole book.
     */
    public long stateHash() {
        StateHash hash = new StateHash();
        orders(Side.BUY, hash);
        orders(Side.SELL, hash);
        hash.add(trades);
        return hash.value();
    }

    private void show(int order, Side side, long price, OrderVisitor visitor) {
        visitor.order(orders.owner(order), orders.id(order), side,
                orders.isPostOnly(order) ? OrderType.POST_ONLY : OrderType.LIMIT,
                price, orders.total(order), orders.remaining(order));
    }

    private BookSide side(Side side) {
        return side == Side.BUY ? bids : asks;
    }

    private @Nullable RejectReason refusal(
            long owner, long orderId, OrderType type, long price, long quantity, BookSide opposite, long limitKey) {
        RejectReason refusal = refusal(type == OrderType.MARKET ? 1 : price, quantity);
        if (refusal != null) {
            return refusal;
        }
        if (orders.find(owner, orderId) != NONE) {
            return RejectReason.DUPLICATE_ORDER_ID;
        }
        return switch (type) {
            case MARKET, IMMEDIATE_OR_CANCEL -> null;
            case FILL_OR_KILL -> holds(opposite, limitKey, quantity) ? null : RejectReason.FILL_OR_KILL_NOT_FILLABLE;
            case LIMIT -> orders.isFull() ? RejectReason.BOOK_FULL : null;
            case POST_ONLY -> opposite.bestKey() <= limitKey ? RejectReason.POST_ONLY_WOULD_CROSS
                    : orders.isFull() ? RejectReason.BOOK_FULL : null;
        };
    }

    private static @Nullable RejectReason refusal(long price, long quantity) {
        if (quantity <= 0) {
            return RejectReason.NON_POSITIVE_QUANTITY;
        }
        if (quantity > MAX_QUANTITY) {
            return RejectReason.QUANTITY_TOO_LARGE;
        }
        if (price <= 0) {
            return RejectReason.NON_POSITIVE_PRICE;
        }
        return price > MAX_PRICE ? RejectReason.PRICE_TOO_LARGE : null;
    }

    /** Whether a side has at least this quantity at or before a key. */
    private boolean holds(BookSide side, long limitKey, long quantity) {
        long missing = quantity;
        for (int level = side.best(); level != NONE && levels.key(level) <= limitKey; level = side.next(level)) {
            missing -= levels.quantity(level);
            if (missing <= 0) {
                return true;
            }
        }
        return false;
    }

    /** Trades with a side, best first and not behind a key, and returns what is left of the quantity. */
    private long match(long owner, long orderId, Side side, BookSide opposite, long limitKey, long quantity) {
        long remaining = quantity;
        while (remaining != 0 && opposite.bestKey() <= limitKey) {
            remaining = matchLevel(owner, orderId, side, opposite, opposite.best(), remaining);
        }
        return remaining;
    }

    private long matchLevel(long owner, long orderId, Side side, BookSide opposite, int level, long quantity) {
        long price = opposite.price(levels.key(level));
        long remaining = quantity;
        int maker = levels.first(level);
        while (maker != NONE && remaining != 0) {
            long open = orders.remaining(maker);
            long traded = Math.min(open, remaining);
            remaining -= traded;
            open -= traded;
            levels.addQuantity(level, -traded);
            listener.trade(++trades, side, orders.owner(maker), orders.id(maker), owner, orderId,
                    price, traded, open, remaining);
            if (open == 0) {
                maker = leaveFirst(maker, level);
            } else {
                orders.setRemaining(maker, open);
            }
        }
        if (maker == NONE) {
            opposite.remove(level);
        }
        return remaining;
    }

    /** Takes the first order of a level out of the book and returns the one behind it. */
    private int leaveFirst(int order, int level) {
        int next = orders.next(order);
        if (next != NONE) {
            orders.setPrevious(next, NONE);
            levels.setEnds(level, next, levels.last(level));
            levels.addOrders(level, -1);
        }
        orders.release(order);
        return next;
    }

    private void cancel(int order, CancelReason reason) {
        long owner = orders.owner(order);
        long orderId = orders.id(order);
        long remaining = orders.remaining(order);
        Side side = orders.isSell(order) ? Side.SELL : Side.BUY;
        leave(order, side(side));
        orders.release(order);
        listener.cancelled(owner, orderId, side, remaining, reason);
    }

    /** Changes the quantity of an order that keeps its price. */
    private void resize(int order, int level, Side side, long price, long quantity, long remaining) {
        boolean keepsPriority = remaining <= orders.remaining(order);
        if (keepsPriority) {
            levels.addQuantity(level, remaining - orders.remaining(order));
            orders.setRemaining(order, remaining);
        } else {
            unlink(order, level);
            orders.setRemaining(order, remaining);
            append(order, level);
        }
        orders.setTotal(order, quantity);
        listener.replaced(orders.owner(order), orders.id(order), side, price, remaining, keepsPriority);
    }

    /** Changes the price of an order to one at which it does not trade. */
    private void move(int order, BookSide own, int level, long price, long quantity, long remaining) {
        long key = own.key(price);
        orders.setTotal(order, quantity);
        if (levels.orders(level) == 1 && own.rekey(level, key)) {
            levels.addQuantity(level, remaining - orders.remaining(order));
            orders.setRemaining(order, remaining);
            return;
        }
        int target = own.findOrAdd(key, level);
        unlink(order, level);
        orders.setRemaining(order, remaining);
        append(order, target);
        if (levels.orders(level) == 0) {
            own.remove(level);
        }
    }

    /** Changes the price of an order to one at which it trades. */
    private void replaceAcross(int order, Side side, long price, long quantity, long remaining, long limitKey) {
        long owner = orders.owner(order);
        long orderId = orders.id(order);
        if (orders.isPostOnly(order)) {
            listener.rejected(owner, orderId, RejectReason.POST_ONLY_WOULD_CROSS);
            return;
        }
        leave(order, side(side));
        listener.replaced(owner, orderId, side, price, remaining, false);
        long left = match(owner, orderId, side, side(side.opposite()), limitKey, remaining);
        if (left == 0) {
            orders.release(order);
        } else {
            orders.setTotal(order, quantity);
            orders.setRemaining(order, left);
            rest(order, side(side), price);
        }
    }

    /** Puts an order at the end of the line of its price. */
    private void rest(int order, BookSide own, long price) {
        append(order, own.findOrAdd(own.key(price), own.best()));
    }

    /** Takes an order out of its level, and the level out of the book if it is empty then. */
    private void leave(int order, BookSide own) {
        int level = orders.level(order);
        unlink(order, level);
        if (levels.orders(level) == 0) {
            own.remove(level);
        }
    }

    private void append(int order, int level) {
        int last = levels.last(level);
        if (last == NONE) {
            levels.setEnds(level, order, order);
        } else {
            orders.setNext(last, order);
            levels.setEnds(level, levels.first(level), order);
        }
        orders.setLinks(order, NONE, last);
        orders.setLevel(order, level);
        levels.addQuantity(level, orders.remaining(order));
        levels.addOrders(level, 1);
    }

    private void unlink(int order, int level) {
        int next = orders.next(order);
        int previous = orders.previous(order);
        if (next != NONE) {
            orders.setPrevious(next, previous);
        }
        if (previous != NONE) {
            orders.setNext(previous, next);
        }
        if (next == NONE || previous == NONE) {
            levels.setEnds(level, previous == NONE ? next : levels.first(level),
                    next == NONE ? previous : levels.last(level));
        }
        levels.addQuantity(level, -orders.remaining(order));
        levels.addOrders(level, -1);
    }
}
