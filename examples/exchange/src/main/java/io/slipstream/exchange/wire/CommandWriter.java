package io.slipstream.exchange.wire;

import io.slipstream.data.codec.Flyweight;
import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Writes one command at a time into memory of its own, without garbage. One thread. */
public final class CommandWriter {
    private static final int ROOM = PlaceCommand.CODEC.maxLength();

    private final byte[] bytes = new byte[ROOM];
    private final MemorySegment memory = MemorySegment.ofArray(bytes);
    private final Flyweight<PlaceCommand> placement = PlaceCommand.CODEC.flyweight();
    private final Flyweight<CancelCommand> cancellation = CancelCommand.CODEC.flyweight();
    private final Flyweight<ReplaceCommand> replacement = ReplaceCommand.CODEC.flyweight();
    private int length;

    /** Creates a writer. */
    public CommandWriter() {}

    /** Writes a {@link PlaceCommand}. */
    public CommandWriter place(int instrument, long orderId, Side side, OrderType type, long price, long quantity) {
        placement
                .begin(memory, 0, ROOM)
                .instrument(instrument)
                .orderId(orderId)
                .side(side)
                .type(type)
                .price(price)
                .quantity(quantity);
        length = placement.length();
        return this;
    }

    /** Writes a {@link CancelCommand}. */
    public CommandWriter cancel(int instrument, long orderId) {
        cancellation.begin(memory, 0, ROOM).instrument(instrument).orderId(orderId);
        length = cancellation.length();
        return this;
    }

    /** Writes a {@link ReplaceCommand}. */
    public CommandWriter replace(int instrument, long orderId, long price, long quantity) {
        replacement
                .begin(memory, 0, ROOM)
                .instrument(instrument)
                .orderId(orderId)
                .price(price)
                .quantity(quantity);
        length = replacement.length();
        return this;
    }

    /** Returns the memory, at whose beginning the last command is. */
    public MemorySegment memory() {
        return memory;
    }

    /** Returns the bytes of the last command. */
    public int length() {
        return length;
    }

    /** Returns a copy of the last command. */
    public byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }
}
