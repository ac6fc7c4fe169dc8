package io.slipstream.exchange.service;

import io.slipstream.data.DecodeException;
import io.slipstream.data.codec.Flyweight;
import io.slipstream.exchange.Exchange;
import io.slipstream.exchange.OrderBook;
import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.wire.CancelCommand;
import io.slipstream.exchange.wire.PlaceCommand;
import io.slipstream.exchange.wire.Rejection;
import io.slipstream.exchange.wire.ReplaceCommand;
import io.slipstream.exchange.wire.WireType;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import java.lang.foreign.MemorySegment;

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
    private final Flyweight<PlaceCommand> placement = PlaceCommand.CODEC.flyweight();
    private final Flyweight<CancelCommand> cancellation = CancelCommand.CODEC.flyweight();
    private final Flyweight<ReplaceCommand> replacement = ReplaceCommand.CODEC.flyweight();
    private final ExecutionReports reports;
    private final Exchange exchange;
    private final int instruments;
    private final OrdersByOwner ordersByOwner;
    private final QueryAnswers queries;
    private final SavedBooks saved;

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
        this.instruments = instruments;
        RecentTrades recent = new RecentTrades(instruments + 1);
        reports = new ExecutionReports(recent);
        exchange = new Exchange(instruments + 1, maxOrders, reports);
        for (int instrument = 1; instrument <= instruments; instrument++) {
            exchange.list(instrument);
        }
        ordersByOwner = new OrdersByOwner(exchange);
        queries = new QueryAnswers(exchange, recent);
        saved = new SavedBooks(exchange, instruments);
    }

    @Override
    public void onCommand(Request command, Output output) {
        MemorySegment memory = command.memory();
        long offset = command.offset();
        int length = command.length();
        reports.begin(output);
        try {
            apply(command.session(), memory, offset, length);
        } catch (DecodeException e) {
            // All of a command is read before any of it is done.
            reports.refused(Rejection.MALFORMED);
        }
        reports.reply();
    }

    @Override
    public void onQuery(Request query, Output output) {
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

    @Override
    public void save(StateOutput output) {
        saved.save(output);
    }

    @Override
    public void load(StateInput input, int version) {
        saved.load(input, ordersByOwner);
    }

    /** Returns how many orders rest in all books. */
    public int restingOrders() {
        return exchange.restingOrders();
    }

    /**
     * Requires of each book that its best bid is below its best ask: orders that could trade have traded.
     *
     * @throws IllegalStateException if one is crossed
     */
    public void requireNotCrossed() {
        for (int instrument = 1; instrument <= instruments; instrument++) {
            OrderBook book = exchange.list(instrument);
            long bid = book.bestPrice(Side.BUY);
            long ask = book.bestPrice(Side.SELL);
            if (bid != 0 && ask != 0 && bid >= ask) {
                throw new IllegalStateException("the book of instrument " + instrument + " is crossed: " + bid
                        + " is bid, and " + ask + " asked");
            }
        }
    }

    private void apply(long owner, MemorySegment memory, long offset, int length) {
        switch (WireType.of(memory, offset, length)) {
            case WireType.PLACE -> place(owner, memory, offset, length);
            case WireType.CANCEL -> cancel(owner, memory, offset, length);
            case WireType.REPLACE -> replace(owner, memory, offset, length);
            default -> reports.refused(length < WireType.BYTES ? Rejection.MALFORMED : Rejection.UNKNOWN_TYPE);
        }
    }

    private void place(long owner, MemorySegment memory, long offset, int length) {
        PlaceCommand order = placement.wrap(memory, offset, length);
        int instrument = order.instrument();
        long orderId = order.orderId();
        Side side = order.side();
        OrderType type = order.type();
        reports.about(instrument, orderId);
        exchange.place(instrument, owner, orderId, side, type, order.price(), order.quantity());
        if (reports.isResting()) {
            ordersByOwner.add(owner, orderId);
        }
    }

    private void cancel(long owner, MemorySegment memory, long offset, int length) {
        CancelCommand command = cancellation.wrap(memory, offset, length);
        reports.about(command.instrument(), command.orderId());
        exchange.cancel(command.instrument(), owner, command.orderId());
    }

    private void replace(long owner, MemorySegment memory, long offset, int length) {
        ReplaceCommand command = replacement.wrap(memory, offset, length);
        reports.about(command.instrument(), command.orderId());
        exchange.replace(command.instrument(), owner, command.orderId(), command.price(), command.quantity());
    }
}
