package io.slipstream.exchange.service;

import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.wire.CommandWriter;
import io.slipstream.exchange.wire.DepthQuery;
import io.slipstream.exchange.wire.OrderQuery;
import io.slipstream.exchange.wire.TopOfBookQuery;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import java.lang.foreign.MemorySegment;

/** Gives commands and queries to a state machine as a service would, without one. */
final class Desk {
    private static final int ROOM = 256;

    private final ExchangeStateMachine machine;
    private final MemorySegment memory = MemorySegment.ofArray(new long[ROOM / Long.BYTES]);
    private final CommandWriter writer = new CommandWriter();
    private final Given command = new Given();
    private long correlation;

    Desk(ExchangeStateMachine machine) {
        this.machine = machine;
    }

    void place(
            Output output,
            long session,
            int instrument,
            long orderId,
            Side side,
            OrderType type,
            long price,
            long quantity) {
        give(output, session, writer.place(instrument, orderId, side, type, price, quantity));
    }

    void cancel(Output output, long session, int instrument, long orderId) {
        give(output, session, writer.cancel(instrument, orderId));
    }

    void replace(Output output, long session, int instrument, long orderId, long price, long quantity) {
        give(output, session, writer.replace(instrument, orderId, price, quantity));
    }

    private void give(Output output, long session, CommandWriter written) {
        machine.onCommand(command.set(written.memory(), written.length(), session, ++correlation), output);
    }

    void topOfBook(Output output, int instrument) {
        TopOfBookQuery.encode(memory, 0, instrument);
        machine.onQuery(message(1, TopOfBookQuery.BYTES), output);
    }

    void depth(Output output, int instrument, int levels) {
        DepthQuery.encode(memory, 0, instrument, levels);
        machine.onQuery(message(1, DepthQuery.BYTES), output);
    }

    void order(Output output, long session, long orderId) {
        OrderQuery.encode(memory, 0, orderId);
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

    private Request exactly(long session, byte[] payload) {
        MemorySegment exact = memory.asSlice(0, payload.length);
        MemorySegment.copy(MemorySegment.ofArray(payload), 0, exact, 0, payload.length);
        return command.set(exact, payload.length, session, ++correlation);
    }

    private Request message(long session, int length) {
        return command.set(memory, length, session, ++correlation);
    }

    /** The same object each time, so that there is no garbage. */
    private static final class Given implements Request {
        private MemorySegment memory = MemorySegment.NULL;
        private int length;
        private long session;
        private long correlation;

        Given set(MemorySegment newMemory, int newLength, long newSession, long newCorrelation) {
            memory = newMemory;
            length = newLength;
            session = newSession;
            correlation = newCorrelation;
            return this;
        }

        @Override
        public MemorySegment memory() {
            return memory;
        }

        @Override
        public long offset() {
            return 0;
        }

        @Override
        public int length() {
            return length;
        }

        @Override
        public long session() {
            return session;
        }

        @Override
        public long correlation() {
            return correlation;
        }

        @Override
        public long sequence() {
            return 0;
        }

        @Override
        public long timeNanos() {
            return 0;
        }
    }
}
