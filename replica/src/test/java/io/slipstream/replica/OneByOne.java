package io.slipstream.replica;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.JournalReader;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.record.RecordHandler;
import io.slipstream.replica.wire.Kind;
import io.slipstream.replica.wire.Link;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/** Sends a journal, one record a message. */
final class OneByOne {
    private final JournalReader reader;
    private ByteBuffer message = Link.buffer(0);
    private final RecordHandler copy = (memory, offset, length) ->
            message.put(memory.asSlice(offset, Frame.align(length)).toArray(ValueLayout.JAVA_BYTE));

    OneByOne(Journal journal) throws JournalException {
        this.reader = journal.reader(1);
    }

    /** Returns whether there was one. */
    boolean sendNext(Link link) throws IOException {
        message = Link.buffer(1 << 12).putLong(1).putLong(reader.nextSequence());
        if (reader.poll(copy, 1) == 0) {
            return false;
        }
        link.send(Kind.DATA, message.flip());
        return true;
    }
}
