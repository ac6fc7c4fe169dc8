package io.slipstream.exchange.service;

import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.wire.CancelCommand;
import io.slipstream.exchange.wire.DepthQuery;
import io.slipstream.exchange.wire.OrderQuery;
import io.slipstream.exchange.wire.PlaceCommand;
import io.slipstream.exchange.wire.ReplaceCommand;
import io.slipstream.exchange.wire.TopOfBookQuery;
import io.slipstream.service.Command;
import io.slipstream.service.Output;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.lang.foreign.MemorySegment;

/** Gives commands and queries to a state machine as a service would, without one. */
final class Desk {
    private static final int ROOM = 256;

    private final ExchangeStateMachine machine;
    private final Command command = new Command();
    private final MemorySegment memory = MemorySegment.ofArray(new long[ROOM / Long.BYTES]);
    private long correlation;

    Desk(ExchangeStateMachine machine) {
        this.machine = machine;
    }

    void place(Output output, long session, int instrument, long orderId, Side side, OrderType type, long price,
               long quantity) {
        PlaceCommand.encode(memory, Message.HEADER_BYTES, instrument, orderId, side, type, price, quantity);
        machine.onCommand(message(session, PlaceCommand.BYTES), output);
    }

    void cancel(Output output, long session, int instrument, long orderId) {
        CancelCommand.encode(memory, Message.HEADER_BYTES, instrument, orderId);
        machine.onCommand(message(session, CancelCommand.BYTES), output);
    }

    void replace(Output output, long session, int instrument, long orderId, long price, long quantity) {
        ReplaceCommand.encode(memory, Message.HEADER_BYTES, instrument, orderId, price, quantity);
        machine.onCommand(message(session, ReplaceCommand.BYTES), output);
    }

    void topOfBook(Output output, int instrument) {
        TopOfBookQuery.encode(memory, Message.HEADER_BYTES, instrument);
        machine.onQuery(message(1, TopOfBookQuery.BYTES), output);
    }

    void depth(Output output, int instrument, int levels) {
        DepthQuery.encode(memory, Message.HEADER_BYTES, instrument, levels);
        machine.onQuery(message(1, DepthQuery.BYTES), output);
    }

    void order(Output output, long session, long orderId) {
        OrderQuery.encode(memory, Message.HEADER_BYTES, orderId);
        machine.onQuery(message(session, OrderQuery.BYTES), output);
    }

    /** Gives a command of any bytes, in memory that ends where they end. */
    void command(Output output, long session, byte[] payload) {
        machine.onCommand(exactly(session, payload), output);
    }

    /** Asks a question of any bytes, in memory that ends where they end. */
    void query(Output output, long session, byte[] payload) {
        machine.onQuery(exactly(session, payload), output);
    }

    private Command exactly(long session, byte[] payload) {
        MemorySegment exact = memory.asSlice(0, Message.HEADER_BYTES + payload.length);
        MemorySegment.copy(MemorySegment.ofArray(payload), 0, exact, Message.HEADER_BYTES, payload.length);
        Message.header(exact, 0, MessageType.COMMAND, payload.length, session, ++correlation);
        return command.wrap(exact, 0);
    }

    private Command message(long session, int length) {
        Message.header(memory, 0, MessageType.COMMAND, length, session, ++correlation);
        return command.wrap(memory, 0);
    }
}
