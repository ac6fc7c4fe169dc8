package io.slipstream.exchange.service;

import io.slipstream.data.codec.Flyweight;
import io.slipstream.exchange.Exchange;
import io.slipstream.exchange.LevelVisitor;
import io.slipstream.exchange.OrderBook;
import io.slipstream.exchange.OrderVisitor;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.wire.CommandReply;
import io.slipstream.exchange.wire.DepthAnswer;
import io.slipstream.exchange.wire.DepthQuery;
import io.slipstream.exchange.wire.OrderAnswer;
import io.slipstream.exchange.wire.OrderQuery;
import io.slipstream.exchange.wire.OrderStatus;
import io.slipstream.exchange.wire.Rejection;
import io.slipstream.exchange.wire.TopOfBookAnswer;
import io.slipstream.exchange.wire.TopOfBookQuery;
import io.slipstream.exchange.wire.TradesAnswer;
import io.slipstream.exchange.wire.TradesQuery;
import io.slipstream.exchange.wire.WireType;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import java.lang.foreign.MemorySegment;

/** Answers questions about the books. */
final class QueryAnswers {
    private static final int MOST_BYTES = Math.max(DepthAnswer.MAX_BYTES, TradesAnswer.MAX_BYTES);

    private final Exchange exchange;
    private final RecentTrades recent;
    private final MemorySegment scratch = MemorySegment.ofArray(new long[MOST_BYTES / Long.BYTES]);
    private final Flyweight<CommandReply> refusal = CommandReply.CODEC.flyweight();
    private final LevelVisitor levelWriter = this::writeLevel;
    private final OrderVisitor orderWriter;
    private int levels;
    private int instrument;

    QueryAnswers(Exchange exchange, RecentTrades recent) {
        this.exchange = exchange;
        this.recent = recent;
        this.orderWriter = (owner, orderId, side, type, price, quantity, remaining) ->
                OrderAnswer.encode(scratch, 0, instrument, orderId, side, type, price, quantity, remaining);
    }

    void answer(Request query, Output output) {
        MemorySegment memory = query.memory();
        long offset = query.offset();
        int length = query.length();
        switch (WireType.of(memory, offset, length)) {
            case WireType.TOP_QUERY -> topOfBook(memory, offset, length, output);
            case WireType.DEPTH_QUERY -> depth(memory, offset, length, output);
            case WireType.ORDER_QUERY -> order(query.session(), memory, offset, length, output);
            case WireType.TRADES_QUERY -> trades(memory, offset, length, output);
            default -> refuse(length < WireType.BYTES ? Rejection.MALFORMED : Rejection.UNKNOWN_TYPE, output);
        }
    }

    private void topOfBook(MemorySegment memory, long offset, int length, Output output) {
        Rejection malformed = TopOfBookQuery.check(length);
        if (malformed != Rejection.NONE) {
            refuse(malformed, output);
            return;
        }
        int asked = TopOfBookQuery.instrument(memory, offset);
        OrderBook book = exchange.book(asked);
        if (book == null) {
            refuse(Rejection.UNKNOWN_INSTRUMENT, output);
            return;
        }
        TopOfBookAnswer.encode(
                scratch,
                0,
                asked,
                book.bestPrice(Side.BUY),
                book.bestQuantity(Side.BUY),
                book.bestPrice(Side.SELL),
                book.bestQuantity(Side.SELL));
        output.reply(scratch, 0, TopOfBookAnswer.BYTES);
    }

    private void depth(MemorySegment memory, long offset, int length, Output output) {
        Rejection malformed = DepthQuery.check(memory, offset, length);
        if (malformed != Rejection.NONE) {
            refuse(malformed, output);
            return;
        }
        int asked = DepthQuery.instrument(memory, offset);
        OrderBook book = exchange.book(asked);
        if (book == null) {
            refuse(Rejection.UNKNOWN_INSTRUMENT, output);
            return;
        }
        levels = 0;
        int bids = book.depth(Side.BUY, DepthQuery.levels(memory, offset), levelWriter);
        int asks = book.depth(Side.SELL, DepthQuery.levels(memory, offset), levelWriter);
        DepthAnswer.encodeHeader(scratch, 0, asked, bids, asks);
        output.reply(scratch, 0, DepthAnswer.bytes(levels));
    }

    private void order(long owner, MemorySegment memory, long offset, int length, Output output) {
        Rejection malformed = OrderQuery.check(length);
        if (malformed != Rejection.NONE) {
            refuse(malformed, output);
            return;
        }
        long orderId = OrderQuery.orderId(memory, offset);
        instrument = exchange.instrumentOf(owner, orderId);
        OrderBook book = exchange.book(instrument);
        if (book == null || !book.order(owner, orderId, orderWriter)) {
            OrderAnswer.encodeNone(scratch, 0, orderId);
        }
        output.reply(scratch, 0, OrderAnswer.BYTES);
    }

    private void trades(MemorySegment memory, long offset, int length, Output output) {
        Rejection malformed = TradesQuery.check(memory, offset, length);
        if (malformed != Rejection.NONE) {
            refuse(malformed, output);
            return;
        }
        int asked = TradesQuery.instrument(memory, offset);
        if (exchange.book(asked) == null) {
            refuse(Rejection.UNKNOWN_INSTRUMENT, output);
            return;
        }
        output.reply(
                scratch,
                0,
                recent.encode(asked, TradesQuery.after(memory, offset), TradesQuery.trades(memory, offset), scratch));
    }

    private void writeLevel(long price, long quantity, int orders) {
        DepthAnswer.encodeLevel(scratch, 0, levels++, price, quantity, orders);
    }

    private void refuse(Rejection rejection, Output output) {
        refusal.begin(scratch, 0, CommandReply.CODEC.maxLength())
                .status(OrderStatus.REJECTED)
                .rejection(rejection);
        output.reply(scratch, 0, refusal.length());
    }
}
