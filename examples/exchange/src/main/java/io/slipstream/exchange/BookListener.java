package io.slipstream.exchange;

/**
 * Receives what commands do to a book, as it happens and on the thread that gave the command.
 *
 * <p>One command gives either one {@code rejected}, or one {@code accepted}, {@code replaced} or {@code cancelled}
 * followed by its trades and, where a rest does not stay in the book, one {@code cancelled}. Events carry no
 * instrument: they come between the call of a command and its return, so the receiver knows which book it asked.
 *
 * <p>A listener must neither call the book that calls it nor throw: the book is between two states.
 */
public interface BookListener {
    /** An order was taken. Trades may follow at once; what is left rests if its type says so. */
    void accepted(long owner, long orderId, Side side, OrderType type, long price, long quantity);

    /** A command was refused and changed nothing. */
    void rejected(long owner, long orderId, RejectReason reason);

    /**
     * Two orders traded, at the price of the one that was there first.
     *
     * @param tradeId 1 for the first trade of a book, and one more for each later one
     * @param takerSide the side of the order that arrived; the maker is on the other
     * @param makerRemaining what is left of the resting order; at 0 it has left the book
     * @param takerRemaining what is left of the arriving order
     */
    void trade(
            long tradeId,
            Side takerSide,
            long makerOwner,
            long makerOrderId,
            long takerOwner,
            long takerOrderId,
            long price,
            long quantity,
            long makerRemaining,
            long takerRemaining);

    /**
     * An order got a new price or quantity. Trades may follow at once.
     *
     * @param remaining the open quantity: the new total less what had traded before
     * @param keptPriority whether the order kept its place among those of the same price
     */
    void replaced(long owner, long orderId, Side side, long price, long remaining, boolean keptPriority);

    /** An order left the book, or did not enter it, with this much of it untraded. */
    void cancelled(long owner, long orderId, Side side, long remaining, CancelReason reason);
}
