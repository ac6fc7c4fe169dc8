package io.slipstream.exchange.service;

import io.slipstream.exchange.Exchange;
import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.wire.CancelCommand;
import io.slipstream.exchange.wire.PlaceCommand;
import io.slipstream.exchange.wire.Rejection;
import io.slipstream.exchange.wire.ReplaceCommand;
import io.slipstream.exchange.wire.WireType;
import io.slipstream.service.machine.Command;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.StateMachine;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A limit order book exchange as the logic of a service.
 *
 * <p>Every command and query is answered, whatever its bytes: what cannot be decoded, and what the book refuses, gets a
 * reply that says why and changes nothing. A command's trades and updates are told, to the sessions that own the
 * orders, before its reply is. When a session ends, its resting orders are cancelled.
 *
 * <p>Deterministic, and allocation-free once the books, and each session's orders, have been as many as they get.
 * For one thread at a time.
 */
public final class ExchangeStateMachine implements StateMachine {
    private final ExecutionReports reports = new ExecutionReports();
    private final Exchange exchange;
    private final OrdersByOwner ordersByOwner;
    private final QueryAnswers queries;

    /**
     * Makes an exchange with empty books.
     *
     * @param instruments how many instruments are listed: those with the numbers from 1 to this, which is below
     *     {@link Exchange#MAX_INSTRUMENTS}
     * @param maxOrders how many orders may rest at a time, 1 to {@link io.slipstream.exchange.OrderBook#MAX_ORDERS}
     * @throws IllegalArgumentException if one of them is out of its range
     */
    public ExchangeStateMachine(int instruments, int maxOrders) {
        if (instruments < 1 || instruments >= Exchange.MAX_INSTRUMENTS) {
            throw new IllegalArgumentException(
                    "instruments must be 1 to " + (Exchange.MAX_INSTRUMENTS - 1) + " but is " + instruments);
        }
        exchange = new Exchange(instruments + 1, maxOrders, reports);
        for (int instrument = 1; instrument <= instruments; instrument++) {
            exchange.list(instrument);
        }
        ordersByOwner = new OrdersByOwner(exchange);
        queries = new QueryAnswers(exchange);
    }

    @Override
    public void onCommand(Command command, Output output) {
        MemorySegment memory = command.memory();
        long offset = command.offset();
        int length = command.length();
        reports.begin(output);
        switch (WireType.of(memory, offset, length)) {
            case WireType.PLACE -> place(command.session(), memory, offset, length);
            case WireType.CANCEL -> cancel(command.session(), memory, offset, length);
            case WireType.REPLACE -> replace(command.session(), memory, offset, length);
            default -> reports.refused(length < WireType.BYTES ? Rejection.TOO_SHORT : Rejection.UNKNOWN_TYPE);
        }
        reports.reply();
    }

    @Override
    public void onQuery(Command query, Output output) {
        queries.answer(query, output);
    }

    @Override
    public void onSessionClose(long session, Output output) {
        reports.beginUnheard();
        ordersByOwner.cancelAll(session);
    }

    @Override
    public String name() {
        return "exchange";
    }

    /** Returns a hash of all books: their orders, owners and priorities, and how many trades there were. */
    @Override
    public long stateHash() {
        return exchange.stateHash();
    }

    /** Returns how many orders rest in all books. */
    public int restingOrders() {
        return exchange.restingOrders();
    }

    private void place(long owner, MemorySegment memory, long offset, int length) {
        Rejection malformed = PlaceCommand.check(memory, offset, length);
        if (malformed != Rejection.NONE) {
            reports.refused(malformed);
            return;
        }
        int instrument = PlaceCommand.instrument(memory, offset);
        long orderId = PlaceCommand.orderId(memory, offset);
        Side side = Objects.requireNonNull(PlaceCommand.side(memory, offset));
        OrderType type = Objects.requireNonNull(PlaceCommand.type(memory, offset));
        reports.about(instrument, orderId);
        exchange.place(instrument, owner, orderId, side, type, PlaceCommand.price(memory, offset),
                PlaceCommand.quantity(memory, offset));
        if (reports.isResting()) {
            ordersByOwner.add(owner, orderId);
        }
    }

    private void cancel(long owner, MemorySegment memory, long offset, int length) {
        Rejection malformed = CancelCommand.check(length);
        if (malformed != Rejection.NONE) {
            reports.refused(malformed);
            return;
        }
        int instrument = CancelCommand.instrument(memory, offset);
        long orderId = CancelCommand.orderId(memory, offset);
        reports.about(instrument, orderId);
        exchange.cancel(instrument, owner, orderId);
    }

    private void replace(long owner, MemorySegment memory, long offset, int length) {
        Rejection malformed = ReplaceCommand.check(length);
        if (malformed != Rejection.NONE) {
            reports.refused(malformed);
            return;
        }
        int instrument = ReplaceCommand.instrument(memory, offset);
        long orderId = ReplaceCommand.orderId(memory, offset);
        reports.about(instrument, orderId);
        exchange.replace(instrument, owner, orderId, ReplaceCommand.price(memory, offset),
                ReplaceCommand.quantity(memory, offset));
    }
}
