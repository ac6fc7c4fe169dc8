package io.slipstream.exchange.service;

import io.slipstream.data.codec.Flyweight;
import io.slipstream.exchange.wire.CommandReply;
import io.slipstream.exchange.wire.OrderStatus;
import io.slipstream.exchange.wire.Rejection;
import io.slipstream.exchange.wire.TradeEvent;
import io.slipstream.exchange.wire.UpdateEvent;
import io.slipstream.exchange.wire.WireType;
import io.slipstream.service.machine.Output;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Keeps what a state machine sends: each output in words, and the last answer as bytes. */
final class SentOutputs implements Output {
    private final Flyweight<CommandReply> replies = CommandReply.CODEC.flyweight();
    private final Flyweight<TradeEvent> trades = TradeEvent.CODEC.flyweight();
    private final Flyweight<UpdateEvent> updates = UpdateEvent.CODEC.flyweight();
    private final List<String> events = new ArrayList<>();
    private byte[] answer = {};
    private boolean answered;

    /** Forgets everything. */
    SentOutputs clear() {
        events.clear();
        answered = false;
        return this;
    }

    /** The events, each as "session: what". */
    List<String> events() {
        return events;
    }

    /** The one answer. */
    MemorySegment answer() {
        if (!answered) {
            throw new AssertionError("there was no answer");
        }
        return MemorySegment.ofArray(answer);
    }

    Rejection rejection() {
        return reply().rejection();
    }

    OrderStatus status() {
        return reply().status();
    }

    /** The answer to a command, in words. */
    String replyInWords() {
        CommandReply reply = reply();
        return reply.status() + " " + reply.rejection() + " " + reply.instrument() + ":" + reply.orderId() + " filled "
                + reply.filled() + " remaining " + reply.remaining();
    }

    @Override
    public void reply(MemorySegment memory, long offset, int length) {
        if (answered) {
            throw new AssertionError("a second answer");
        }
        answered = true;
        answer = memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public void event(long session, MemorySegment memory, long offset, int length) {
        if (answered) {
            throw new AssertionError("an event behind the answer");
        }
        events.add(session + ": "
                + switch (WireType.of(memory, offset, length)) {
                    case WireType.TRADE -> trade(trades.wrap(memory, offset, length));
                    case WireType.UPDATE -> update(updates.wrap(memory, offset, length));
                    default -> throw new AssertionError("an event of unknown type");
                });
    }

    private CommandReply reply() {
        MemorySegment reply = answer();
        if (answer.length != CommandReply.CODEC.maxLength()) {
            throw new AssertionError("not a reply");
        }
        return replies.wrap(reply, 0, answer.length);
    }

    private static String trade(TradeEvent trade) {
        return trade.role() + " " + trade.side() + " " + trade.instrument() + ":" + trade.orderId()
                + " trade " + trade.tradeId() + ", " + trade.quantity() + " at " + trade.price()
                + ", left " + trade.remaining();
    }

    private static String update(UpdateEvent update) {
        return update.change() + " " + update.side() + " " + update.instrument() + ":" + update.orderId() + " at "
                + update.price() + ", left " + update.remaining();
    }
}
