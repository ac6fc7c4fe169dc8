package io.slipstream.service.gateway;

import io.slipstream.core.frame.Frame;
import io.slipstream.service.protocol.Busy;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.FailureNotice;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** What a gateway answers by itself, as a message for the conversation to write. */
final class Answers {
    private final MemorySegment memory = Arena.ofAuto()
            .allocate(Message.HEADER_BYTES + FailureNotice.HEADER_BYTES + FailureNotice.MAX_TEXT_BYTES, Long.BYTES);

    /** The command was not taken; come back later. */
    MemorySegment busy(long session, long correlation, long retryAfterNanos, long pending, long limit) {
        Message.header(memory, 0, MessageType.BUSY, Busy.BYTES, session, correlation);
        Busy.encodePayload(memory, 0, Busy.Reason.PENDING, retryAfterNanos, pending, limit);
        return memory;
    }

    /** The client has sent more than it may. */
    MemorySegment overLimit(long session, long correlation, long retryAfterNanos) {
        Message.header(memory, 0, MessageType.BUSY, Busy.BYTES, session, correlation);
        Busy.encodePayload(memory, 0, Busy.Reason.CLIENT_LIMIT, retryAfterNanos, 0, 0);
        return memory;
    }

    /** The command, or the stream, is not as it should be. */
    MemorySegment failure(long session, short type, long correlation, FailureCode code, String text) {
        byte[] bytes = FailureNotice.text(text);
        Message.header(memory, 0, type, FailureNotice.HEADER_BYTES + bytes.length, session, correlation);
        FailureNotice.encodePayload(memory, 0, code, bytes);
        return memory;
    }

    /** Returns the length of the message that was made last. */
    int length() {
        return Frame.length(memory, 0);
    }
}
