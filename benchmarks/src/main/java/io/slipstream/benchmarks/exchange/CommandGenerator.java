package io.slipstream.benchmarks.exchange;

import io.slipstream.exchange.BookListener;
import io.slipstream.exchange.CancelReason;
import io.slipstream.exchange.OrderBook;
import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.RejectReason;
import io.slipstream.exchange.Side;
import java.util.SplittableRandom;

/**
 * Generates commands as exchange-core's own generator for its benchmarks does.
 *
 * <p>While a side has fewer orders than wanted, 20 % of the commands for it are limit orders, 10 % cancellations and
 * the others moves; otherwise 5 % are immediate-or-cancel orders at any price, 2.5 % cancellations and the others
 * moves. With both sides near their target this gives about 9, 3, 6 and 82 %. Cancelled or moved is one of the oldest
 * 512 orders. A move takes an order by a hundredth of the distance, and a tick at least, to the price of the last
 * trade.
 */
final class CommandGenerator implements BookListener {
    private static final int USERS = 1_000;
    private static final int OLDEST = 512;
    private static final int MAX_COMMANDS_BETWEEN_COUNTS = 512;
    private static final long MIDDLE_PRICE = 100_000;
    private static final long DEVIATION = MIDDLE_PRICE / 20;
    private static final long LEAST_PRICE = MIDDLE_PRICE - 5 * DEVIATION;
    private static final long GREATEST_PRICE = MIDDLE_PRICE + 5 * DEVIATION;

    private final SplittableRandom random;
    private final Commands commands;
    private final LiveOrders live;
    private final OrderBook book;
    private final int targetPerSide;
    private final int commandsBetweenCounts;
    private final int[] counted = new int[2];
    private long lastPrice = MIDDLE_PRICE;
    private long nextOrderId = 1;

    private CommandGenerator(long seed, int commands, int targetOrders) {
        this.random = new SplittableRandom(seed);
        this.commands = new Commands(commands);
        this.live = new LiveOrders(commands);
        this.book = new OrderBook(4 * targetOrders, this);
        this.targetPerSide = targetOrders / 2;
        this.commandsBetweenCounts = Math.min(MAX_COMMANDS_BETWEEN_COUNTS, targetOrders);
    }

    /** Generates commands; the same for the same arguments. */
    static Commands generate(long seed, int commands, int targetOrders) {
        CommandGenerator generator = new CommandGenerator(seed, commands, targetOrders);
        while (generator.commands.size() < commands) {
            if (generator.commands.size() % generator.commandsBetweenCounts == 0) {
                generator.count();
            }
            generator.next();
        }
        return generator.commands;
    }

    private void count() {
        counted[Side.BUY.ordinal()] = live.size(Side.BUY);
        counted[Side.SELL.ordinal()] = live.size(Side.SELL);
    }

    private void next() {
        Side side = random.nextBoolean() ? Side.BUY : Side.SELL;
        int missing = targetPerSide - counted[side.ordinal()];
        boolean filling = missing > Math.min(commandsBetweenCounts, targetPerSide * 3 / 4);
        int dice = random.nextInt(missing <= 0 ? 40 : filling ? 2 : 10);
        if (dice < 2) {
            if (missing > 0) {
                placeLimit(side);
            } else {
                placeImmediate(side);
            }
        } else if (live.size() > 0) {
            int order = live.oldest(random.nextInt(Math.min(OLDEST, live.size())));
            if (dice == 2) {
                cancel(order);
            } else {
                move(order);
            }
        }
    }

    private void placeLimit(Side side) {
        double spread = random.nextDouble();
        int reach = 1 + (int) (spread * spread * DEVIATION);
        long sum = 0;
        for (int i = 0; i < 4; i++) {
            sum += random.nextInt(reach);
        }
        long distance = Math.abs(sum / 4 * 2 - reach);
        long price = side == Side.BUY ? lastPrice - distance : lastPrice + distance;
        place(side, OrderType.LIMIT, side == Side.BUY ? Commands.LIMIT_BUY : Commands.LIMIT_SELL, price);
    }

    private void placeImmediate(Side side) {
        place(
                side,
                OrderType.IMMEDIATE_OR_CANCEL,
                side == Side.BUY ? Commands.IMMEDIATE_BUY : Commands.IMMEDIATE_SELL,
                side == Side.BUY ? GREATEST_PRICE : LEAST_PRICE);
    }

    private void place(Side side, OrderType type, int kind, long price) {
        long owner = 1 + random.nextInt(USERS);
        long orderId = nextOrderId++;
        long quantity = 1 + (long) random.nextInt(6) * random.nextInt(6) * random.nextInt(6);
        live.add((int) orderId, (int) owner, side, price, quantity);
        commands.add(kind, owner, orderId, price, quantity);
        book.place(owner, orderId, side, type, price, quantity);
    }

    private void cancel(int order) {
        commands.add(Commands.CANCEL, live.owner(order), order, 0, 0);
        book.cancel(live.owner(order), order);
    }

    private void move(int order) {
        long price = live.price(order);
        long step = price == lastPrice
                ? random.nextInt(2) * 2 - 1
                : Math.ceilDiv(Math.abs(lastPrice - price), 100) * Long.signum(lastPrice - price);
        long newPrice = price + step;
        live.setPrice(order, newPrice);
        commands.add(Commands.MOVE, live.owner(order), order, newPrice, live.quantity(order));
        book.replace(live.owner(order), order, newPrice, live.quantity(order));
    }

    @Override
    public void accepted(long owner, long orderId, Side side, OrderType type, long price, long quantity) {
        // Trades and cancellations tell what becomes of it.
    }

    @Override
    public void rejected(long owner, long orderId, RejectReason reason) {
        throw new IllegalStateException("generated a command that is rejected: " + reason + " for order " + orderId);
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
        lastPrice = Math.clamp(price, LEAST_PRICE, GREATEST_PRICE);
        if (makerRemaining == 0) {
            live.remove((int) makerOrderId);
        }
        if (takerRemaining == 0) {
            live.remove((int) takerOrderId);
        }
    }

    @Override
    public void replaced(long owner, long orderId, Side side, long price, long remaining, boolean keptPriority) {
        // Its trades, if any, follow.
    }

    @Override
    public void cancelled(long owner, long orderId, Side side, long remaining, CancelReason reason) {
        live.remove((int) orderId);
        if (reason == CancelReason.UNFILLED_REMAINDER) {
            count();
        }
    }
}
