package io.slipstream.service.gateway;

import io.slipstream.service.protocol.Busy;
import io.slipstream.service.protocol.FailureNotice;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;

import java.lang.foreign.MemorySegment;

/** What a gateway answers by itself, written straight into the output of a connection; false if it has no room. */
final class Answers {
    private Answers() {
    }

    /** The command was not taken; come back later. */
    static boolean busy(Connection connection, long correlation, PendingLimit admission) {
        int at = connection.claimOutput(Message.HEADER_BYTES + Busy.BYTES);
        if (at < 0) {
            return false;
        }
        MemorySegment memory = connection.outputMemory();
        Message.header(memory, at, MessageType.BUSY, Busy.BYTES, connection.session, correlation);
        Busy.encodePayload(memory, at, admission.retryAfterNanos(), admission.pending(), admission.limit());
        return true;
    }

    /** The command, or the stream, is not as it should be. */
    static boolean failure(Connection connection, short type, long correlation, FailureCode code, String text) {
        byte[] bytes = FailureNotice.text(text);
        int payload = FailureNotice.HEADER_BYTES + bytes.length;
        int at = connection.claimOutput(Message.HEADER_BYTES + payload);
        if (at < 0) {
            return false;
        }
        Message.header(connection.outputMemory(), at, type, payload, connection.session, correlation);
        FailureNotice.encodePayload(connection.outputMemory(), at, code, bytes);
        return true;
    }
}
