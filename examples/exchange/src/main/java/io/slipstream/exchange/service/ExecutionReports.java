package io.slipstream.exchange.service;

import io.slipstream.data.codec.Flyweight;
import io.slipstream.exchange.BookListener;
import io.slipstream.exchange.CancelReason;
import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.RejectReason;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.wire.CommandReply;
import io.slipstream.exchange.wire.OrderChange;
import io.slipstream.exchange.wire.OrderStatus;
import io.slipstream.exchange.wire.Rejection;
import io.slipstream.exchange.wire.Role;
import io.slipstream.exchange.wire.TradeEvent;
import io.slipstream.exchange.wire.UpdateEvent;
import io.slipstream.service.machine.Output;
import java.lang.foreign.MemorySegment;

/** Sends what a book tells as events to the owners of the orders, and sums it up for the reply to the command. */
final class ExecutionReports implements BookListener {
    private static final Output NOBODY = new Nobody();

    private static final int ROOM = TradeEvent.CODEC.maxLength();

    private final RecentTrades recent;
    private final MemorySegment scratch = MemorySegment.ofArray(new byte[ROOM]);
    private final Flyweight<CommandReply> reply = CommandReply.CODEC.flyweight();
    private final Flyweight<TradeEvent> trade = TradeEvent.CODEC.flyweight();
    private final Flyweight<UpdateEvent> update = UpdateEvent.CODEC.flyweight();
    private Output output = NOBODY;
    private int instrument;
    private long orderId;
    private OrderStatus status = OrderStatus.UNKNOWN;
    private Rejection rejection = Rejection.NONE;
    private long filled;
    private long remaining;

    ExecutionReports(RecentTrades recent) {
        this.recent = recent;
    }

    /** Begins a command. */
    void begin(Output listening) {
        output = listening;
        instrument = 0;
        orderId = 0;
        status = OrderStatus.UNKNOWN;
        rejection = Rejection.NONE;
        filled = 0;
        remaining = 0;
    }

    /** Begins changes that nobody is notified of. */
    void beginUnheard() {
        begin(NOBODY);
    }

    /** Says which order the command is about. */
    void about(int commandInstrument, long commandOrderId) {
        instrument = commandInstrument;
        orderId = commandOrderId;
    }

    /** The command does not reach the book. */
    void refused(Rejection reason) {
        status = OrderStatus.REJECTED;
        rejection = reason;
    }

    /** Returns whether the order of the command is in the book now. */
    boolean isResting() {
        return status == OrderStatus.RESTING;
    }

    /** Answers the command. */
    void reply() {
        reply.begin(scratch, 0, ROOM)
                .instrument(instrument)
                .orderId(orderId)
                .status(status)
                .rejection(rejection)
                .filled(filled)
                .remaining(remaining);
        output.reply(scratch, 0, reply.length());
    }

    @Override
    public void accepted(long owner, long id, Side side, OrderType type, long price, long quantity) {
        status = OrderStatus.RESTING;
        remaining = quantity;
    }

    @Override
    public void rejected(long owner, long id, RejectReason reason) {
        refused(Rejection.of(reason));
    }

    @Override
    public void trade(
            long tradeId,
            Side takerSide,
            long makerOwner,
            long makerOrderId,
            long takerOwner,
            long takerOrderId,
            long price,
            long quantity,
            long makerRemaining,
            long takerRemaining) {
        filled += quantity;
        remaining = takerRemaining;
        if (takerRemaining == 0) {
            status = OrderStatus.FILLED;
        }
        recent.add(instrument, tradeId, price, quantity, takerSide);
        tell(makerOwner, Role.MAKER, takerSide.opposite(), makerOrderId, tradeId, price, quantity, makerRemaining);
        tell(takerOwner, Role.TAKER, takerSide, takerOrderId, tradeId, price, quantity, takerRemaining);
    }

    private void tell(long owner, Role role, Side side, long id, long tradeId, long price, long quantity, long left) {
        trade.begin(scratch, 0, ROOM)
                .instrument(instrument)
                .orderId(id)
                .role(role)
                .side(side)
                .tradeId(tradeId)
                .price(price)
                .quantity(quantity)
                .remaining(left);
        output.event(owner, scratch, 0, trade.length());
    }

    @Override
    public void replaced(long owner, long id, Side side, long price, long open, boolean keptPriority) {
        status = OrderStatus.RESTING;
        remaining = open;
        update(owner, keptPriority ? OrderChange.REDUCED : OrderChange.REPLACED, side, id, price);
    }

    @Override
    public void cancelled(long owner, long id, Side side, long open, CancelReason reason) {
        status = OrderStatus.CANCELLED;
        remaining = open;
        update(owner, OrderChange.of(reason), side, id, 0);
    }

    private void update(long owner, OrderChange change, Side side, long id, long price) {
        update.begin(scratch, 0, ROOM)
                .instrument(instrument)
                .orderId(id)
                .change(change)
                .side(side)
                .price(price)
                .remaining(remaining);
        output.event(owner, scratch, 0, update.length());
    }

    private static final class Nobody implements Output {
        @Override
        public void reply(MemorySegment memory, long offset, int length) {}

        @Override
        public void event(long session, MemorySegment memory, long offset, int length) {}
    }
}
