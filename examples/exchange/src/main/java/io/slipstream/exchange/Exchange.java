package io.slipstream.exchange;

import org.jspecify.annotations.Nullable;

/**
 * Many order books that share one room for orders.
 *
 * <p>Instruments are numbered from 0 by whoever runs the exchange. An order id is unique for its owner across all
 * instruments. All books share the room for {@code maxOrders} resting orders, so that a quiet book costs a few hundred
 * bytes and a busy one may use what the others leave.
 *
 * <p>Deterministic and allocation-free as {@link OrderBook} says. For one thread at a time.
 */
public final class Exchange {
    /** One more than the highest number that an instrument can have. */
    public static final int MAX_INSTRUMENTS = 1 << 20;

    private final @Nullable OrderBook[] books;
    private final Room room;
    private final BookListener listener;

    /**
     * Makes an exchange that lists nothing yet.
     *
     * @param maxInstruments instruments have numbers below this, which is at most {@link #MAX_INSTRUMENTS}
     * @param maxOrders how many orders may rest at a time, 1 to {@link OrderBook#MAX_ORDERS}
     * @param listener receives the events of all books
     */
    public Exchange(int maxInstruments, int maxOrders, BookListener listener) {
        if (maxInstruments < 1 || maxInstruments > MAX_INSTRUMENTS) {
            throw new IllegalArgumentException(
                    "maxInstruments must be 1 to " + MAX_INSTRUMENTS + " but is " + maxInstruments);
        }
        this.books = new @Nullable OrderBook[maxInstruments];
        this.room = Room.forOrders(maxOrders);
        this.listener = listener;
    }

    /**
     * Opens a book for an instrument.
     *
     * @return the book; the one that is there, if the instrument has been listed before
     * @throws IllegalArgumentException if the number is negative, or not below the {@code maxInstruments} of this
     *          exchange
     */
    public OrderBook list(int instrument) {
        if (instrument < 0 || instrument >= books.length) {
            throw new IllegalArgumentException(
                    "instrument must be 0 to " + (books.length - 1) + " but is " + instrument);
        }
        OrderBook book = books[instrument];
        if (book == null) {
            book = new OrderBook(instrument, room, listener);
            books[instrument] = book;
        }
        return book;
    }

    /** The book of an instrument, or null if it is not listed. */
    public @Nullable OrderBook book(int instrument) {
        return instrument < 0 || instrument >= books.length ? null : books[instrument];
    }

    /** Places an order as {@link OrderBook#place} does, or rejects it with {@link RejectReason#UNKNOWN_INSTRUMENT}. */
    public void place(int instrument, long owner, long orderId, Side side, OrderType type, long price, long quantity) {
        OrderBook book = book(instrument);
        if (book == null) {
            listener.rejected(owner, orderId, RejectReason.UNKNOWN_INSTRUMENT);
        } else {
            book.place(owner, orderId, side, type, price, quantity);
        }
    }

    /** Cancels an order as {@link OrderBook#cancel} does, or rejects with {@link RejectReason#UNKNOWN_INSTRUMENT}. */
    public void cancel(int instrument, long owner, long orderId) {
        OrderBook book = book(instrument);
        if (book == null) {
            listener.rejected(owner, orderId, RejectReason.UNKNOWN_INSTRUMENT);
        } else {
            book.cancel(owner, orderId);
        }
    }

    /** Replaces an order as {@link OrderBook#replace} does, or rejects with {@link RejectReason#UNKNOWN_INSTRUMENT}. */
    public void replace(int instrument, long owner, long orderId, long price, long quantity) {
        OrderBook book = book(instrument);
        if (book == null) {
            listener.rejected(owner, orderId, RejectReason.UNKNOWN_INSTRUMENT);
        } else {
            book.replace(owner, orderId, price, quantity);
        }
    }

    /** The instrument in whose book an owner's order rests, or -1 if it rests in none. */
    public int instrumentOf(long owner, long orderId) {
        int order = room.orders().find(owner, orderId);
        return order == OrderPool.NONE ? -1 : room.orders().book(order);
    }

    /**
     * When an owner's order came to rest: 1 for the first of the exchange, and one more for each later one; 0 if it
     * does not rest. It tells an order from a former one with the same id, and does not change when the order is
     * replaced.
     */
    public long arrivalOf(long owner, long orderId) {
        int order = room.orders().find(owner, orderId);
        return order == OrderPool.NONE ? 0 : room.orders().arrival(order);
    }

    /** How many orders have come to rest so far; see {@link #arrivalOf}. */
    public long arrivals() {
        return room.orders().arrivals();
    }

    /** Goes on counting behind {@code arrivals}; for one that is brought to the state that another had. */
    public void restoreArrivals(long arrivals) {
        room.orders().setArrivals(arrivals);
    }

    /** Goes on counting the trades of a listed instrument behind {@code trades}. */
    public void restoreTrades(int instrument, long trades) {
        list(instrument).restoreTrades(trades);
    }

    /**
     * Puts back an order of a listed instrument; in the order in which {@link OrderBook#orders} shows them.
     *
     * @param arrival what {@link #arrivalOf} said of it
     * @throws IllegalArgumentException if it cannot rest there
     */
    public void restore(
            int instrument,
            long owner,
            long orderId,
            Side side,
            OrderType type,
            long price,
            long quantity,
            long remaining,
            long arrival) {
        list(instrument).restore(owner, orderId, side, type, price, quantity, remaining, arrival);
    }

    /** How many orders rest in all books. */
    public int restingOrders() {
        return room.orders().size();
    }

    /**
     * A number that is the same for exchanges that list the same instruments with equal books, and almost surely
     * another one for all others. Reads all books.
     */
    public long stateHash() {
        StateHash hash = new StateHash();
        for (int instrument = 0; instrument < books.length; instrument++) {
            OrderBook book = books[instrument];
            if (book != null) {
                hash.add(instrument);
                hash.add(book.stateHash());
            }
        }
        return hash.value();
    }
}
