package io.slipstream.benchmarks.exchange;

import io.slipstream.exchange.BookListener;
import io.slipstream.exchange.CancelReason;
import io.slipstream.exchange.OrderBook;
import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.RejectReason;
import io.slipstream.exchange.Side;
import java.util.ArrayList;
import java.util.List;

/** The order book of the exchange example. */
final class OurBook implements Competitor, BookListener {
    private final OrderBook book;
    private final TradeHash trades = new TradeHash();
    private long rejections;

    OurBook(int maxOrders) {
        this.book = new OrderBook(maxOrders, this);
    }

    @Override
    public void run(Commands commands) {
        for (int i = 0, size = commands.size(); i < size; i++) {
            long owner = commands.owner(i);
            long orderId = commands.orderId(i);
            switch (commands.kind(i)) {
                case Commands.MOVE -> book.replace(owner, orderId, commands.price(i), commands.quantity(i));
                case Commands.CANCEL -> book.cancel(owner, orderId);
                case Commands.LIMIT_BUY ->
                    book.place(owner, orderId, Side.BUY, OrderType.LIMIT, commands.price(i), commands.quantity(i));
                case Commands.LIMIT_SELL ->
                    book.place(owner, orderId, Side.SELL, OrderType.LIMIT, commands.price(i), commands.quantity(i));
                case Commands.IMMEDIATE_BUY ->
                    book.place(
                            owner,
                            orderId,
                            Side.BUY,
                            OrderType.IMMEDIATE_OR_CANCEL,
                            commands.price(i),
                            commands.quantity(i));
                case Commands.IMMEDIATE_SELL ->
                    book.place(
                            owner,
                            orderId,
                            Side.SELL,
                            OrderType.IMMEDIATE_OR_CANCEL,
                            commands.price(i),
                            commands.quantity(i));
                default -> throw new IllegalStateException("command " + i + " is of no known kind");
            }
        }
    }

    @Override
    public TradeHash trades() {
        return trades;
    }

    @Override
    public List<Level> depth() {
        List<Level> levels = new ArrayList<>();
        for (Side side : Side.values()) {
            book.depth(
                    side,
                    Integer.MAX_VALUE,
                    (price, quantity, orders) -> levels.add(new Level(price, quantity, orders)));
        }
        return levels;
    }

    @Override
    public void accepted(long owner, long orderId, Side side, OrderType type, long price, long quantity) {
        // Only trades are compared.
    }

    @Override
    public void rejected(long owner, long orderId, RejectReason reason) {
        rejections++;
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
        trades.add(makerOrderId, price, quantity);
    }

    @Override
    public void replaced(long owner, long orderId, Side side, long price, long remaining, boolean keptPriority) {
        // Only trades are compared.
    }

    @Override
    public void cancelled(long owner, long orderId, Side side, long remaining, CancelReason reason) {
        // Only trades are compared.
    }
}
