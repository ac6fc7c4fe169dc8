package io.slipstream.exchange;

import org.jspecify.annotations.Nullable;

/**
 * A limit order book for one instrument, with price-time priority.
 *
 * <p>An order is named by its owner and an id which the owner chooses: two owners never collide, and nobody can touch,
 * or even ask for, an order of another. An id may be used again once its order has left the book. Prices and quantities
 * are whole numbers of ticks and lots.
 *
 * <p><b>Priority.</b> Among orders of one price, who came first trades first. A replacement that keeps the price and
 * does not raise the quantity keeps its place; every other one goes to the end of the line.
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
    private final Records records;
    private final OrderPool orders;
    private final LevelPool levels;
    private final BookSide[] sides;
    private final BookListener listener;
    private long trades;

    /**
     * Makes a book that stands alone.
     *
     * @param maxOrders how many orders may rest at a time, 1 to {@link #MAX_ORDERS}. About 230 bytes are taken for
     *                  each, and 2 MB more. Prices that rest share blocks of 64 neighbours: there is room for 1,024
     *                  blocks and one more for each 16 orders.
     */
    public OrderBook(int maxOrders, BookListener listener) {
        this(0, Room.forOrders(maxOrders), listener);
    }

    /** Makes a book that shares its room with others, each of another number. */
    OrderBook(int number, Room room, BookListener listener) {
        this.number = number;
        this.records = room.records();
        this.orders = room.orders();
        this.levels = room.levels();
        this.sides = new BookSide[] {
            new BookSide(Side.BUY, levels, room.nodes()), new BookSide(Side.SELL, levels, room.nodes())
        };
        BookSide.face(sides[0], sides[1]);
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
        BookSide own = sides[side.ordinal()];
        BookSide opposite = own.opposite();
        long limitKey = type == OrderType.MARKET ? BookSide.NO_KEY - 1 : opposite.key(price);
        RejectReason refusal = refusal(type == OrderType.MARKET ? 1 : price, quantity);
        if (refusal == null) {
            refusal = refusal(owner, orderId, type, price, quantity, own, limitKey);
        }
        if (refusal != null) {
            listener.rejected(owner, orderId, refusal);
            return;
        }
        listener.accepted(owner, orderId, side, type, price, quantity);
        long remaining = match(owner, orderId, side, opposite, limitKey, quantity);
        if (remaining == 0) {
            return;
        }
        if (type.rests()) {
            enqueue(
                    orders.add(number, owner, orderId, side, type == OrderType.POST_ONLY, quantity, remaining),
                    own,
                    own.level(own.key(price), own.best()),
                    remaining);
        } else {
            listener.cancelled(owner, orderId, side, remaining, CancelReason.UNFILLED_REMAINDER);
        }
    }

    /** Cancels what is left of an order. */
    public void cancel(long owner, long orderId) {
        int order = find(owner, orderId);
        if (order == NONE) {
            listener.rejected(owner, orderId, RejectReason.UNKNOWN_ORDER);
        } else {
            cancel(order, CancelReason.REQUESTED);
        }
    }

    /**
     * Gives an order another price, another quantity, or both.
     *
     * @param quantity the new total, with what has traded already; so a fill that crosses this command on its way
     *     makes the order no larger than its owner wanted. An order that has traded as much or more is cancelled.
     */
    public void replace(long owner, long orderId, long price, long quantity) {
        RejectReason refusal = refusal(price, quantity);
        int order = NONE;
        if (refusal == null) {
            order = find(owner, orderId);
            refusal = order == NONE ? RejectReason.UNKNOWN_ORDER : null;
        }
        if (refusal != null) {
            listener.rejected(owner, orderId, refusal);
            return;
        }
        long remaining = quantity - (orders.total(order) - orders.remaining(order));
        BookSide own = sides[orders.side(order)];
        int level = orders.level(order);
        if (remaining <= 0) {
            cancel(order, CancelReason.REPLACED_BY_FILLED_QUANTITY);
        } else if (levels.key(level) == own.key(price)) {
            resize(order, own, level, price, quantity, remaining);
        } else if (own.opposite().bestKey() <= own.opposite().key(price)) {
            replaceAcross(order, own, price, quantity, remaining);
        } else {
            move(order, own, level, price, quantity, remaining);
        }
    }

    /** The best price of a side, or 0 if nobody wants to trade on it. */
    public long bestPrice(Side side) {
        BookSide own = sides[side.ordinal()];
        int best = own.best();
        return best == NONE ? 0 : own.price(best);
    }

    /** The open quantity at the best price of a side, or 0. */
    public long bestQuantity(Side side) {
        int best = sides[side.ordinal()].best();
        return best == NONE ? 0 : levels.quantity(best);
    }

    /** Shows the best levels of a side, best first, and returns how many there were to show. */
    public int depth(Side side, int maxLevels, LevelVisitor visitor) {
        BookSide own = sides[side.ordinal()];
        int shown = 0;
        for (int level = own.best(); level != NONE && shown < maxLevels; level = own.next(level)) {
            visitor.level(own.price(level), levels.quantity(level), levels.orders(level));
            shown++;
        }
        return shown;
    }

    /** Shows an order, and returns whether it rests in this book. */
    public boolean order(long owner, long orderId, OrderVisitor visitor) {
        int order = find(owner, orderId);
        if (order == NONE) {
            return false;
        }
        BookSide own = sides[orders.side(order)];
        show(order, own.side(), own.price(orders.level(order)), visitor);
        return true;
    }

    /** Shows all orders of a side, in the order in which they would trade. */
    public void orders(Side side, OrderVisitor visitor) {
        BookSide own = sides[side.ordinal()];
        for (int level = own.best(); level != NONE; level = own.next(level)) {
            long price = own.price(level);
            for (int order = records.next(level); order != level; order = records.next(order)) {
                show(order, side, price, visitor);
            }
        }
    }

    /** How many trades there have been since the book began. */
    public long trades() {
        return trades;
    }

    /**
     * Puts back an order that rested when a book was saved, at the end of the line of its price; orders that would
     * trade with each other, or that there is no room for, were none of one book.
     */
    void restore(
            long owner,
            long orderId,
            Side side,
            OrderType type,
            long price,
            long quantity,
            long remaining,
            long arrival) {
        BookSide own = sides[side.ordinal()];
        if (!type.rests()
                || remaining < 1
                || remaining > quantity
                || refusal(price, quantity) != null
                || own.opposite().bestKey() <= own.opposite().key(price)
                || refusal(owner, orderId, OrderType.LIMIT, price, quantity, own, 0) != null) {
            throw new IllegalArgumentException("no order of " + owner + " that can rest in book " + number + ": "
                    + orderId + ", " + side + " " + type + " " + remaining + " of " + quantity + " at " + price);
        }
        int order = orders.add(number, owner, orderId, side, type == OrderType.POST_ONLY, quantity, remaining);
        orders.setArrival(order, arrival);
        enqueue(order, own, own.level(own.key(price), own.best()), remaining);
    }

    /** Goes on counting trades behind those that there were when a book was saved. */
    void restoreTrades(long former) {
        trades = former;
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
        visitor.order(
                orders.owner(order),
                orders.id(order),
                side,
                orders.isPostOnly(order) ? OrderType.POST_ONLY : OrderType.LIMIT,
                price,
                orders.total(order),
                orders.remaining(order));
    }

    /** The order, if it is in this book; or {@link #NONE}. */
    private int find(long owner, long orderId) {
        int order = orders.find(owner, orderId);
        return orders.book(order) == number ? order : NONE;
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

    private @Nullable RejectReason refusal(
            long owner, long orderId, OrderType type, long price, long quantity, BookSide own, long limitKey) {
        if (orders.find(owner, orderId) != NONE) {
            return RejectReason.DUPLICATE_ORDER_ID;
        }
        return switch (type) {
            case MARKET, IMMEDIATE_OR_CANCEL -> null;
            case FILL_OR_KILL ->
                holds(own.opposite(), limitKey, quantity) ? null : RejectReason.FILL_OR_KILL_NOT_FILLABLE;
            case LIMIT -> refusalToRest(own, price);
            case POST_ONLY ->
                own.opposite().bestKey() <= limitKey ? RejectReason.POST_ONLY_WOULD_CROSS : refusalToRest(own, price);
        };
    }

    private @Nullable RejectReason refusalToRest(BookSide own, long price) {
        if (orders.isFull()) {
            return RejectReason.BOOK_FULL;
        }
        return own.hasRoomFor(own.key(price)) ? null : RejectReason.PRICES_TOO_SCATTERED;
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
            int level = opposite.best();
            remaining = matchLevel(owner, orderId, side, level, opposite.price(level), remaining);
            opposite.update(level);
        }
        return remaining;
    }

    private long matchLevel(long owner, long orderId, Side side, int level, long price, long quantity) {
        long remaining = quantity;
        int maker = records.next(level);
        while (maker != level && remaining != 0) {
            long open = orders.remaining(maker);
            long traded = Math.min(open, remaining);
            remaining -= traded;
            open -= traded;
            listener.trade(
                    ++trades,
                    side,
                    orders.owner(maker),
                    orders.id(maker),
                    owner,
                    orderId,
                    price,
                    traded,
                    open,
                    remaining);
            int next = records.next(maker);
            if (open == 0) {
                records.remove(maker);
                orders.remove(maker);
                levels.count(level, -1, -traded);
            } else {
                orders.setRemaining(maker, open);
                levels.count(level, 0, -traded);
            }
            maker = next;
        }
        return remaining;
    }

    private void cancel(int order, CancelReason reason) {
        long owner = orders.owner(order);
        long orderId = orders.id(order);
        long remaining = orders.remaining(order);
        BookSide own = sides[orders.side(order)];
        int level = orders.level(order);
        dequeue(order, level);
        own.update(level);
        orders.remove(order);
        listener.cancelled(owner, orderId, own.side(), remaining, reason);
    }

    /** Changes the quantity of an order that keeps its price. */
    private void resize(int order, BookSide own, int level, long price, long quantity, long remaining) {
        long change = remaining - orders.remaining(order);
        boolean keepsPriority = change <= 0;
        if (!keepsPriority) {
            records.remove(order);
            records.insertBefore(level, order);
        }
        levels.count(level, 0, change);
        orders.setRemaining(order, remaining);
        orders.setTotal(order, quantity);
        listener.replaced(orders.owner(order), orders.id(order), own.side(), price, remaining, keepsPriority);
    }

    /** Changes the price of an order to one at which it does not trade. */
    private void move(int order, BookSide own, int level, long price, long quantity, long remaining) {
        long key = own.key(price);
        if (!own.hasRoomFor(key)) {
            listener.rejected(orders.owner(order), orders.id(order), RejectReason.PRICES_TOO_SCATTERED);
            return;
        }
        int target = own.level(key, level);
        dequeue(order, level);
        orders.setTotal(order, quantity);
        orders.setRemaining(order, remaining);
        enqueue(order, own, target, remaining);
        own.update(level);
        listener.replaced(orders.owner(order), orders.id(order), own.side(), price, remaining, false);
    }

    /** Changes the price of an order to one at which it trades. */
    private void replaceAcross(int order, BookSide own, long price, long quantity, long remaining) {
        long owner = orders.owner(order);
        long orderId = orders.id(order);
        if (orders.isPostOnly(order) || !own.hasRoomFor(own.key(price))) {
            listener.rejected(
                    owner,
                    orderId,
                    orders.isPostOnly(order) ? RejectReason.POST_ONLY_WOULD_CROSS : RejectReason.PRICES_TOO_SCATTERED);
            return;
        }
        int level = orders.level(order);
        dequeue(order, level);
        own.update(level);
        listener.replaced(owner, orderId, own.side(), price, remaining, false);
        BookSide opposite = own.opposite();
        long left = match(owner, orderId, own.side(), opposite, opposite.key(price), remaining);
        if (left == 0) {
            orders.remove(order);
        } else {
            orders.setTotal(order, quantity);
            orders.setRemaining(order, left);
            enqueue(order, own, own.level(own.key(price), own.best()), left);
        }
    }

    /** Puts an order at the end of the line of a level. */
    private void enqueue(int order, BookSide own, int level, long remaining) {
        records.insertBefore(level, order);
        orders.setLevel(order, level);
        levels.count(level, 1, remaining);
        own.update(level);
    }

    /** Takes an order out of its line; the level must be brought up to date then. */
    private void dequeue(int order, int level) {
        records.remove(order);
        levels.count(level, -1, -orders.remaining(order));
    }
}
