package io.slipstream.exchange.service;

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
        return CommandReply.rejection(reply(), 0);
    }

    OrderStatus status() {
        return CommandReply.status(reply(), 0);
    }

    /** The answer to a command, in words. */
    String replyInWords() {
        MemorySegment reply = reply();
        return CommandReply.status(reply, 0) + " " + CommandReply.rejection(reply, 0) + " "
                + CommandReply.instrument(reply, 0) + ":" + CommandReply.orderId(reply, 0)
                + " filled " + CommandReply.filled(reply, 0) + " remaining " + CommandReply.remaining(reply, 0);
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
        events.add(session + ": " + switch (WireType.of(memory, offset, length)) {
            case WireType.TRADE -> trade(memory, offset, length);
            case WireType.UPDATE -> update(memory, offset, length);
            default -> throw new AssertionError("an event of unknown type");
        });
    }

    private MemorySegment reply() {
        MemorySegment reply = answer();
        if (WireType.of(reply, 0, answer.length) != WireType.REPLY || answer.length != CommandReply.BYTES) {
            throw new AssertionError("not a reply");
        }
        return reply;
    }

    private static String trade(MemorySegment memory, long offset, int length) {
        if (length != TradeEvent.BYTES) {
            throw new AssertionError("a trade of " + length + " bytes");
        }
        return TradeEvent.role(memory, offset) + " " + TradeEvent.side(memory, offset) + " "
                + TradeEvent.instrument(memory, offset) + ":" + TradeEvent.orderId(memory, offset)
                + " trade " + TradeEvent.tradeId(memory, offset) + ", " + TradeEvent.quantity(memory, offset)
                + " at " + TradeEvent.price(memory, offset) + ", left " + TradeEvent.remaining(memory, offset);
    }

    private static String update(MemorySegment memory, long offset, int length) {
        if (length != UpdateEvent.BYTES) {
            throw new AssertionError("an update of " + length + " bytes");
        }
        return UpdateEvent.change(memory, offset) + " " + UpdateEvent.side(memory, offset) + " "
                + UpdateEvent.instrument(memory, offset) + ":" + UpdateEvent.orderId(memory, offset)
                + " at " + UpdateEvent.price(memory, offset) + ", left " + UpdateEvent.remaining(memory, offset);
    }
}
