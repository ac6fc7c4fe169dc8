package io.slipstream.exchange.client;

import io.slipstream.data.DecodeException;
import io.slipstream.data.codec.Flyweight;
import io.slipstream.exchange.wire.CommandReply;
import io.slipstream.exchange.wire.OrderStatus;
import io.slipstream.exchange.wire.Rejection;
import io.slipstream.exchange.wire.TradeEvent;
import io.slipstream.exchange.wire.UpdateEvent;
import io.slipstream.exchange.wire.WireType;
import io.slipstream.service.client.ReplyHandler;
import io.slipstream.service.client.ServiceException;
import java.lang.foreign.MemorySegment;

/** Decodes what the service sends, for the listener. Events of a type that this version does not know are skipped. */
final class ListenerAdapter implements ReplyHandler {
    private final Flyweight<CommandReply> replies = CommandReply.CODEC.flyweight();
    private final Flyweight<TradeEvent> trades = TradeEvent.CODEC.flyweight();
    private final Flyweight<UpdateEvent> updates = UpdateEvent.CODEC.flyweight();
    private final ExchangeListener listener;

    ListenerAdapter(ExchangeListener listener) {
        this.listener = listener;
    }

    @Override
    public void onReply(long attachment, long sequence, MemorySegment memory, long offset, int length) {
        CommandReply reply;
        OrderStatus status;
        Rejection rejection;
        try {
            reply = replies.wrap(memory, offset, length);
            status = reply.status();
            rejection = reply.rejection();
        } catch (DecodeException e) {
            listener.onFailure(attachment, Answers.notAnExchange(length));
            return;
        }
        listener.onReply(
                attachment,
                sequence,
                status,
                rejection,
                reply.instrument(),
                reply.orderId(),
                reply.filled(),
                reply.remaining());
    }

    @Override
    public void onEvent(long sequence, MemorySegment memory, long offset, int length) {
        try {
            switch (WireType.of(memory, offset, length)) {
                case WireType.TRADE -> onTrade(sequence, trades.wrap(memory, offset, length));
                case WireType.UPDATE -> onUpdate(sequence, updates.wrap(memory, offset, length));
                default -> {}
            }
        } catch (DecodeException e) {
            // Of a later version; its order's state is asked for by a query.
        }
    }

    @Override
    public void onFailure(long attachment, ServiceException failure) {
        listener.onFailure(attachment, failure);
    }

    @Override
    public void onBusy(long attachment, long retryAfterNanos) {
        listener.onBusy(attachment, retryAfterNanos);
    }

    @Override
    public void onMissedOutputs() {
        listener.onMissedEvents();
    }

    private void onTrade(long sequence, TradeEvent trade) {
        listener.onTrade(
                sequence,
                trade.instrument(),
                trade.orderId(),
                trade.role(),
                trade.side(),
                trade.tradeId(),
                trade.price(),
                trade.quantity(),
                trade.remaining());
    }

    private void onUpdate(long sequence, UpdateEvent update) {
        listener.onUpdate(
                sequence,
                update.instrument(),
                update.orderId(),
                update.change(),
                update.side(),
                update.price(),
                update.remaining());
    }
}
