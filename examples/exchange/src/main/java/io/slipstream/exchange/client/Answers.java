package io.slipstream.exchange.client;

import io.slipstream.data.DecodeException;
import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.wire.CommandReply;
import io.slipstream.exchange.wire.DepthAnswer;
import io.slipstream.exchange.wire.OrderAnswer;
import io.slipstream.exchange.wire.TopOfBookAnswer;
import io.slipstream.exchange.wire.TradesAnswer;
import io.slipstream.exchange.wire.TradesQuery;
import io.slipstream.exchange.wire.WireType;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.protocol.FailureCode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Turns answers into values; each throws {@link QueryRejectedException} if the exchange did not answer. */
public final class Answers {
    private Answers() {}

    static OrderResult orderResult(Reply reply) {
        CommandReply result = commandReply(reply);
        return new OrderResult(
                reply.sequence(),
                result.orderId(),
                result.status(),
                result.rejection(),
                result.filled(),
                result.remaining());
    }

    /** Reads the best bid and ask. */
    public static TopOfBook topOfBook(Reply reply) {
        MemorySegment memory = require(reply, WireType.TOP, TopOfBookAnswer.BYTES);
        return new TopOfBook(
                TopOfBookAnswer.instrument(memory, 0),
                TopOfBookAnswer.bidPrice(memory, 0),
                TopOfBookAnswer.bidQuantity(memory, 0),
                TopOfBookAnswer.askPrice(memory, 0),
                TopOfBookAnswer.askQuantity(memory, 0));
    }

    /** Reads the best price levels. */
    public static Depth depth(Reply reply) {
        MemorySegment memory = require(reply, WireType.DEPTH, DepthAnswer.HEADER_BYTES);
        int bids = DepthAnswer.bids(memory, 0);
        int asks = DepthAnswer.asks(memory, 0);
        int there = (reply.payload().length - DepthAnswer.HEADER_BYTES) / DepthAnswer.LEVEL_BYTES;
        if (bids < 0 || asks < 0 || (long) bids + asks > there) {
            throw notAnExchange(reply.payload().length);
        }
        return new Depth(DepthAnswer.instrument(memory, 0), levels(memory, 0, bids), levels(memory, bids, asks));
    }

    static Optional<RestingOrder> order(Reply reply) {
        MemorySegment memory = require(reply, WireType.ORDER, OrderAnswer.BYTES);
        Side side = OrderAnswer.side(memory, 0);
        OrderType type = OrderAnswer.type(memory, 0);
        if (side == null || type == null) {
            return Optional.empty();
        }
        return Optional.of(new RestingOrder(
                OrderAnswer.instrument(memory, 0),
                OrderAnswer.orderId(memory, 0),
                side,
                type,
                OrderAnswer.price(memory, 0),
                OrderAnswer.quantity(memory, 0),
                OrderAnswer.remaining(memory, 0)));
    }

    /** Reads the newest trades. */
    public static RecentTrades recentTrades(Reply reply) {
        MemorySegment memory = require(reply, WireType.TRADES, TradesAnswer.HEADER_BYTES);
        int count = TradesAnswer.trades(memory, 0);
        if (count < 0 || count > TradesQuery.MAX_TRADES || reply.payload().length < TradesAnswer.bytes(count)) {
            throw notAnExchange(reply.payload().length);
        }
        List<RecentTrades.Trade> trades = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Side taker = TradesAnswer.taker(memory, 0, i);
            if (taker == null) {
                throw notAnExchange(reply.payload().length);
            }
            trades.add(new RecentTrades.Trade(
                    TradesAnswer.number(memory, 0, i),
                    TradesAnswer.price(memory, 0, i),
                    TradesAnswer.quantity(memory, 0, i),
                    taker));
        }
        return new RecentTrades(TradesAnswer.instrument(memory, 0), trades);
    }

    private static CommandReply commandReply(Reply reply) {
        try {
            return CommandReply.CODEC.fromBytes(reply.payload());
        } catch (DecodeException e) {
            throw notAnExchange(reply.payload().length);
        }
    }

    private static MemorySegment require(Reply reply, short type, int bytes) {
        MemorySegment memory = MemorySegment.ofArray(reply.payload());
        int length = reply.payload().length;
        short actual = WireType.of(memory, 0, length);
        if (actual == WireType.REPLY) {
            throw new QueryRejectedException(commandReply(reply).rejection());
        }
        if (actual != type || length < bytes) {
            throw notAnExchange(length);
        }
        return memory;
    }

    private static List<Depth.Level> levels(MemorySegment memory, int from, int count) {
        List<Depth.Level> levels = new ArrayList<>(count);
        for (int index = from; index < from + count; index++) {
            levels.add(new Depth.Level(
                    DepthAnswer.price(memory, 0, index),
                    DepthAnswer.quantity(memory, 0, index),
                    DepthAnswer.orders(memory, 0, index)));
        }
        return levels;
    }

    static ServiceException notAnExchange(int length) {
        return new ServiceException(
                FailureCode.MALFORMED,
                "an answer of " + length + " bytes cannot be understood; is the service an exchange of this version?");
    }
}
