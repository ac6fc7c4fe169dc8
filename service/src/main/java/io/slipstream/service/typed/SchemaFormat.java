package io.slipstream.service.typed;

import io.slipstream.data.DecodeException;
import io.slipstream.data.dump.ValueText;
import io.slipstream.data.schema.Definitions;
import io.slipstream.data.schema.SchemaException;
import io.slipstream.journal.record.PayloadFormat;
import io.slipstream.service.protocol.EntryText;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Shows the commands in the journal of a typed service by their definitions alone, for {@code slipstream journal dump}
 * and {@code tail}. Immutable; any thread.
 */
public final class SchemaFormat implements PayloadFormat {
    private final Definitions definitions;

    /** Creates the format of commands that look like this. */
    public SchemaFormat(Definitions definitions) {
        this.definitions = definitions;
    }

    @Override
    public boolean knows(short type, byte version) {
        return EntryText.knows(type, version);
    }

    /** Returns what the entry says, and null for what is no command that the definitions know. */
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

    private @Nullable String command(MemorySegment memory, long offset, int length) {
        try {
            return ValueText.of(definitions, memory, offset, length);
        } catch (DecodeException | SchemaException e) {
            return null;
        }
    }
}
