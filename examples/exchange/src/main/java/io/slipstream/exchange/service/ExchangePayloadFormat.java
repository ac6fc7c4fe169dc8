package io.slipstream.exchange.service;

import io.slipstream.data.DecodeException;
import io.slipstream.data.codec.Codec;
import io.slipstream.exchange.wire.CancelCommand;
import io.slipstream.exchange.wire.PlaceCommand;
import io.slipstream.exchange.wire.ReplaceCommand;
import io.slipstream.exchange.wire.WireType;
import io.slipstream.journal.record.PayloadFormat;
import io.slipstream.service.protocol.EntryText;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** What the journal of an exchange holds, as text for {@code slipstream journal dump}. Any thread. */
public final class ExchangePayloadFormat implements PayloadFormat {
    /** Made by the {@link java.util.ServiceLoader}. */
    public ExchangePayloadFormat() {}

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
                ? command(memory, offset + Message.HEADER_BYTES, payload)
                : EntryText.of(memory, offset, payload);
        return what == null ? null : EntryText.line(memory, offset, what);
    }

    private static @Nullable String command(MemorySegment memory, long offset, int length) {
        Codec<?> codec = switch (WireType.of(memory, offset, length)) {
            case WireType.PLACE -> PlaceCommand.CODEC;
            case WireType.CANCEL -> CancelCommand.CODEC;
            case WireType.REPLACE -> ReplaceCommand.CODEC;
            default -> null;
        };
        try {
            return codec == null ? null : codec.decode(memory, offset, length).toString();
        } catch (DecodeException e) {
            return null;
        }
    }
}
