package io.slipstream.exchange;

/** Is shown resting orders, in the order in which they would trade. */
@FunctionalInterface
public interface OrderVisitor {
    /**
     * One order.
     *
     * @param type {@link OrderType#LIMIT} or {@link OrderType#POST_ONLY}
     * @param quantity the total quantity, traded and open
     * @param remaining the open quantity
     */
    void order(long owner, long orderId, Side side, OrderType type, long price, long quantity, long remaining);
}
