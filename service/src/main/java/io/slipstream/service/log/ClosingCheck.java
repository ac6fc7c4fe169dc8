package io.slipstream.service.log;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.errors.JournalFullException;
import io.slipstream.service.logic.Logic;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The last entry of a log that is closed in order: the hash of the state that all before it has led to. Any replay can
 * compare its own with it, since no entry lies between.
 */
public final class ClosingCheck {
    private static final int PAYLOAD = 2 * Long.BYTES;

    private ClosingCheck() {}

    /**
     * Appends it and makes it durable, unless the state is never checked, or not all of the log was applied. A full
     * device gets none.
     *
     * @param journal that nobody else writes to any more
     * @param logic   that nobody else uses any more
     */
    public static void append(Journal journal, Logic logic) throws JournalException {
        long last = journal.nextSequence() - 1;
        if (last == 0 || !logic.checks().isOn() || logic.lastSequence() != last) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            int bytes = Frame.align(Message.HEADER_BYTES + PAYLOAD);
            MemorySegment frame = arena.allocate(bytes, Frame.ALIGNMENT);
            Message.header(frame, 0, MessageType.CHECK, PAYLOAD, 0, 0);
            Message.timeNanos(frame, 0, logic.lastTimeNanos());
            Message.payloadLong(frame, 0, 0, last);
            Message.payloadLong(frame, 0, 8, logic.stateHash());
            journal.append(frame, 0, bytes);
            journal.commit();
        } catch (JournalFullException e) {
            // A check is no more than that; what was answered is in the journal.
        }
    }
}
