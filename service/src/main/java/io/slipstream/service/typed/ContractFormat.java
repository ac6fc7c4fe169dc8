package io.slipstream.service.typed;

import io.slipstream.data.DecodeException;
import io.slipstream.journal.record.PayloadFormat;
import io.slipstream.service.protocol.EntryText;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Shows the commands in the journal of a typed service as records, for {@code slipstream journal dump} and
 * {@code tail}. Immutable; any thread.
 *
 * <p>A subclass with a public constructor without arguments can be named as a provider of {@link PayloadFormat}; the
 * commands find it by itself then.
 */
public class ContractFormat implements PayloadFormat {
    private final Contract contract;

    /** Creates the format of a service's journal. */
    public ContractFormat(Contract contract) {
        this.contract = contract;
    }

    @Override
    public final boolean knows(short type, byte version) {
        return EntryText.knows(type, version);
    }

    /** Returns what the entry says, and null for what is no command of the contract. */
    @Override
    public final @Nullable String toText(MemorySegment memory, long offset, int length) {
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
        Operation<?, ?> operation = contract.operation(memory, offset, length);
        try {
            return operation == null
                    ? null
                    : operation.codec().decode(memory, offset, length).toString();
        } catch (DecodeException e) {
            return null;
        }
    }
}
