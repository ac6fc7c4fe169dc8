package io.slipstream.exchange.service;

import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.wire.CancelCommand;
import io.slipstream.exchange.wire.PlaceCommand;
import io.slipstream.exchange.wire.Rejection;
import io.slipstream.exchange.wire.ReplaceCommand;
import io.slipstream.exchange.wire.WireType;
import io.slipstream.journal.record.PayloadFormat;
import io.slipstream.service.protocol.EntryText;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the journal of an exchange holds, as text for {@code slipstream journal dump}. Any thread. */
public final class ExchangePayloadFormat implements PayloadFormat {
    /** Made by the {@link java.util.ServiceLoader}. */
    public ExchangePayloadFormat() {
    }

    @Override
    public boolean knows(short type, byte version) {
        return EntryText.knows(type, version);
    }

    /**
     * Returns what the entry says, and null for what the exchange answers with a refusal because it cannot be decoded.
     */
    @Override
    public @Nullable String toText(MemorySegment memory, long offset, int length) {
        int payload = length - Message.HEADER_BYTES;
        if (payload < 0) {
            return null;
        }
        String what = Message.type(memory, offset) == MessageType.COMMAND
                ? command(memory, offset + Message.HEADER_BYTES, payload) : EntryText.of(memory, offset, payload);
        return what == null ? null : EntryText.line(memory, offset, what);
    }

    private static @Nullable String command(MemorySegment memory, long offset, int length) {
        return switch (WireType.of(memory, offset, length)) {
            case WireType.PLACE -> place(memory, offset, length);
            case WireType.CANCEL -> cancel(memory, offset, length);
            case WireType.REPLACE -> replace(memory, offset, length);
            default -> null;
        };
    }

    private static @Nullable String place(MemorySegment memory, long offset, int length) {
        if (PlaceCommand.check(memory, offset, length) != Rejection.NONE) {
            return null;
        }
        Side side = Objects.requireNonNull(PlaceCommand.side(memory, offset));
        OrderType type = Objects.requireNonNull(PlaceCommand.type(memory, offset));
        return "place order " + PlaceCommand.orderId(memory, offset) + " instrument "
                + PlaceCommand.instrument(memory, offset) + " "
                + side + " " + type + " quantity " + PlaceCommand.quantity(memory, offset) + " price "
                + PlaceCommand.price(memory, offset);
    }

    private static @Nullable String cancel(MemorySegment memory, long offset, int length) {
        return CancelCommand.check(length) != Rejection.NONE ? null : "cancel order "
                + CancelCommand.orderId(memory, offset)
                + " instrument " + CancelCommand.instrument(memory, offset);
    }

    private static @Nullable String replace(MemorySegment memory, long offset, int length) {
        return ReplaceCommand.check(length) != Rejection.NONE ? null : "replace order "
                + ReplaceCommand.orderId(memory, offset)
                + " instrument " + ReplaceCommand.instrument(memory, offset) + " quantity "
                + ReplaceCommand.quantity(memory, offset)
                + " price " + ReplaceCommand.price(memory, offset);
    }
}
