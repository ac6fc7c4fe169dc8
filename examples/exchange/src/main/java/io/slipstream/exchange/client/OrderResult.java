package io.slipstream.exchange.client;

import io.slipstream.exchange.wire.OrderStatus;
import io.slipstream.exchange.wire.Rejection;

/**
 * What a command has done.
 *
 * @param sequence  its place in the exchange's log
 * @param orderId   the order that it was about
 * @param status    what has become of the order; {@link OrderStatus#REJECTED} if the command was refused
 * @param rejection why it was refused, or {@link Rejection#NONE}
 * @param filled    how much the command has traded
 * @param remaining how much of the order has not traded; {@code status} says whether it rests or was cancelled
 */
public record OrderResult(
        long sequence, long orderId, OrderStatus status, Rejection rejection, long filled, long remaining) {
    /** Returns whether the command was taken. */
    public boolean isAccepted() {
        return status != OrderStatus.REJECTED;
    }
}
