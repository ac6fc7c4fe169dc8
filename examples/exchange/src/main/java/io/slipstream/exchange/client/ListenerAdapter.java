package io.slipstream.exchange.client;

import io.slipstream.exchange.Side;
import io.slipstream.exchange.wire.CommandReply;
import io.slipstream.exchange.wire.TradeEvent;
import io.slipstream.exchange.wire.UpdateEvent;
import io.slipstream.exchange.wire.WireType;
import io.slipstream.service.client.ReplyHandler;
import io.slipstream.service.client.ServiceException;
import java.lang.foreign.MemorySegment;

/** Decodes what the service sends, for the listener. Events of a type that this version does not know are skipped. */
final class ListenerAdapter implements ReplyHandler {
    private final ExchangeListener listener;

    ListenerAdapter(ExchangeListener listener) {
        this.listener = listener;
    }

    @Override
    public void onReply(long attachment, long sequence, MemorySegment memory, long offset, int length) {
        try {
            Answers.requireReply(memory, offset, length);
        } catch (ServiceException e) {
            listener.onFailure(attachment, e);
            return;
        }
        listener.onReply(attachment, sequence, CommandReply.status(memory, offset),
                CommandReply.rejection(memory, offset), CommandReply.instrument(memory, offset),
                CommandReply.orderId(memory, offset), CommandReply.filled(memory, offset),
                CommandReply.remaining(memory, offset));
    }

    @Override
    public void onEvent(long sequence, MemorySegment memory, long offset, int length) {
        switch (WireType.of(memory, offset, length)) {
            case WireType.TRADE -> onTrade(sequence, memory, offset, length);
            case WireType.UPDATE -> onUpdate(sequence, memory, offset, length);
            default -> { }
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

    private void onTrade(long sequence, MemorySegment memory, long offset, int length) {
        Side side = length < TradeEvent.BYTES ? null : TradeEvent.side(memory, offset);
        if (side != null) {
            listener.onTrade(sequence, TradeEvent.instrument(memory, offset), TradeEvent.orderId(memory, offset),
                    TradeEvent.role(memory, offset), side, TradeEvent.tradeId(memory, offset),
                    TradeEvent.price(memory, offset), TradeEvent.quantity(memory, offset),
                    TradeEvent.remaining(memory, offset));
        }
    }

    private void onUpdate(long sequence, MemorySegment memory, long offset, int length) {
        Side side = length < UpdateEvent.BYTES ? null : UpdateEvent.side(memory, offset);
        if (side != null) {
            listener.onUpdate(sequence, UpdateEvent.instrument(memory, offset), UpdateEvent.orderId(memory, offset),
                    UpdateEvent.change(memory, offset), side, UpdateEvent.price(memory, offset),
                    UpdateEvent.remaining(memory, offset));
        }
    }
}
