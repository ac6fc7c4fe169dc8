package io.slipstream.exchange;

import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** Gives the same random command to a book and to its model: mostly sensible ones, and every kind of wrong one. */
final class RandomCommand {
    private static final OrderType[] TYPES = OrderType.values();
    private static final long[] BAD_NUMBERS = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, OrderBook.MAX_PRICE + 1};

    private RandomCommand() {}

    /** Returns the command in words. */
    static String give(
            RandomGenerator random, int usualOrders, LongSupplier prices, OrderBook book, NaiveOrderBook model) {
        int resting = model.orders(Side.BUY).size() + model.orders(Side.SELL).size();
        long owner = random.nextInt(3);
        long orderId = random.nextInt(usualOrders);
        int kind = random.nextInt(100);
        if (kind < 60 && resting > 0) {
            Side side = random.nextInt(resting) < model.orders(Side.BUY).size() ? Side.BUY : Side.SELL;
            NaiveOrderBook.Order target =
                    model.orders(side).get(random.nextInt(model.orders(side).size()));
            owner = target.owner();
            orderId = target.orderId();
            if (kind < (resting > usualOrders ? 30 : 8)) {
                return cancel(book, model, owner, orderId);
            }
            long price = switch (random.nextInt(4)) {
                case 0 -> target.price();
                case 1 -> Math.clamp(target.price() + random.nextInt(-3, 4), 1, OrderBook.MAX_PRICE);
                default -> prices.getAsLong();
            };
            long quantity = random.nextBoolean() ? target.quantity() : quantity(random);
            return replace(book, model, owner, orderId, price, quantity);
        }
        if (kind < 62) {
            return cancel(book, model, owner, orderId);
        }
        if (kind < 64) {
            return replace(book, model, owner, orderId, priceOrBad(random, prices), quantityOrBad(random));
        }
        Side side = random.nextBoolean() ? Side.BUY : Side.SELL;
        OrderType type = random.nextInt(3) == 0 ? TYPES[random.nextInt(TYPES.length)] : OrderType.LIMIT;
        return place(book, model, owner, orderId, side, type, priceOrBad(random, prices), quantityOrBad(random));
    }

    private static String place(
            OrderBook book,
            NaiveOrderBook model,
            long owner,
            long orderId,
            Side side,
            OrderType type,
            long price,
            long quantity) {
        book.place(owner, orderId, side, type, price, quantity);
        model.place(owner, orderId, side, type, price, quantity);
        return "place " + owner + ":" + orderId + " " + side + " " + type + " " + quantity + " at " + price;
    }

    private static String cancel(OrderBook book, NaiveOrderBook model, long owner, long orderId) {
        book.cancel(owner, orderId);
        model.cancel(owner, orderId);
        return "cancel " + owner + ":" + orderId;
    }

    private static String replace(
            OrderBook book, NaiveOrderBook model, long owner, long orderId, long price, long quantity) {
        book.replace(owner, orderId, price, quantity);
        model.replace(owner, orderId, price, quantity);
        return "replace " + owner + ":" + orderId + " by " + quantity + " at " + price;
    }

    private static long quantity(RandomGenerator random) {
        return random.nextInt(100) == 0 ? OrderBook.MAX_QUANTITY - random.nextInt(2) : random.nextLong(1, 20);
    }

    private static long quantityOrBad(RandomGenerator random) {
        return random.nextInt(50) == 0 ? bad(random) : quantity(random);
    }

    private static long priceOrBad(RandomGenerator random, LongSupplier prices) {
        return random.nextInt(50) == 0 ? bad(random) : prices.getAsLong();
    }

    private static long bad(RandomGenerator random) {
        return BAD_NUMBERS[random.nextInt(BAD_NUMBERS.length)];
    }
}
