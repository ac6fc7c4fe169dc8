package io.slipstream.benchmarks.exchange;

import exchange.core2.collections.objpool.ObjectsPool;
import exchange.core2.core.common.CoreSymbolSpecification;
import exchange.core2.core.common.L2MarketData;
import exchange.core2.core.common.MatcherEventType;
import exchange.core2.core.common.MatcherTradeEvent;
import exchange.core2.core.common.OrderAction;
import exchange.core2.core.common.OrderType;
import exchange.core2.core.common.SymbolType;
import exchange.core2.core.common.cmd.CommandResultCode;
import exchange.core2.core.common.cmd.OrderCommand;
import exchange.core2.core.common.cmd.OrderCommandType;
import exchange.core2.core.common.config.LoggingConfiguration;
import exchange.core2.core.orderbook.IOrderBook;
import exchange.core2.core.orderbook.OrderBookDirectImpl;
import exchange.core2.core.orderbook.OrderBookEventsHelper;
import exchange.core2.core.orderbook.OrderBookNaiveImpl;
import java.util.ArrayList;
import java.util.List;

/**
 * One of exchange-core's order books, used as its own performance tests use it: one command object that is filled again
 * for each command, and the pool that they take. The symbol is a future, which spares it a check of reserved prices.
 */
final class ExchangeCoreBook implements Competitor {
    private static final CoreSymbolSpecification SYMBOL = CoreSymbolSpecification.builder()
            .symbolId(1)
            .type(SymbolType.FUTURES_CONTRACT)
            .baseScaleK(1)
            .quoteScaleK(1)
            .build();

    private final IOrderBook book;
    private final TradeHash trades = new TradeHash();
    private final OrderCommand command = new OrderCommand();

    private ExchangeCoreBook(IOrderBook book) {
        this.book = book;
    }

    /** Its fast book. */
    static ExchangeCoreBook direct() {
        return new ExchangeCoreBook(new OrderBookDirectImpl(
                SYMBOL,
                ObjectsPool.createDefaultTestPool(),
                OrderBookEventsHelper.NON_POOLED_EVENTS_HELPER,
                LoggingConfiguration.DEFAULT));
    }

    /** Its reference book. */
    static ExchangeCoreBook naive() {
        return new ExchangeCoreBook(new OrderBookNaiveImpl(SYMBOL, LoggingConfiguration.DEFAULT));
    }

    @Override
    public void run(Commands commands) {
        for (int i = 0, size = commands.size(); i < size; i++) {
            command.uid = commands.owner(i);
            command.orderId = commands.orderId(i);
            command.price = commands.price(i);
            command.matcherEvent = null;
            switch (commands.kind(i)) {
                case Commands.MOVE -> move();
                case Commands.CANCEL -> cancel();
                case Commands.LIMIT_BUY -> place(OrderAction.BID, OrderType.GTC, commands.quantity(i));
                case Commands.LIMIT_SELL -> place(OrderAction.ASK, OrderType.GTC, commands.quantity(i));
                case Commands.IMMEDIATE_BUY -> place(OrderAction.BID, OrderType.IOC, commands.quantity(i));
                case Commands.IMMEDIATE_SELL -> place(OrderAction.ASK, OrderType.IOC, commands.quantity(i));
                default -> throw new IllegalStateException("command " + i + " is of no known kind");
            }
            for (MatcherTradeEvent event = command.matcherEvent; event != null; event = event.nextEvent) {
                if (event.eventType == MatcherEventType.TRADE) {
                    trades.add(event.matchedOrderId, event.price, event.size);
                }
            }
        }
    }

    @Override
    public TradeHash trades() {
        return trades;
    }

    @Override
    public List<Level> depth() {
        L2MarketData data = book.getL2MarketDataSnapshot();
        List<Level> levels = new ArrayList<>();
        for (int i = 0; i < data.bidSize; i++) {
            levels.add(new Level(data.bidPrices[i], data.bidVolumes[i], data.bidOrders[i]));
        }
        for (int i = 0; i < data.askSize; i++) {
            levels.add(new Level(data.askPrices[i], data.askVolumes[i], data.askOrders[i]));
        }
        return levels;
    }

    private void move() {
        command.command = OrderCommandType.MOVE_ORDER;
        check(book.moveOrder(command));
    }

    private void cancel() {
        command.command = OrderCommandType.CANCEL_ORDER;
        check(book.cancelOrder(command));
    }

    private void place(OrderAction action, OrderType type, long size) {
        command.command = OrderCommandType.PLACE_ORDER;
        command.action = action;
        command.orderType = type;
        command.size = size;
        command.reserveBidPrice = command.price;
        book.newOrder(command);
    }

    private void check(CommandResultCode code) {
        if (code != CommandResultCode.SUCCESS) {
            throw new IllegalStateException("exchange-core says " + code + " to " + command);
        }
    }
}
