package io.slipstream.replica.backup;

import io.slipstream.service.machine.Output;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Takes the reply to a query; nothing else is a query's business. */
final class QueryOutput implements Output {
    private byte[] reply = new byte[0];

    byte[] reply() {
        return reply;
    }

    @Override
    public void reply(MemorySegment memory, long offset, int length) {
        if (length < 0 || length > MAX_LENGTH) {
            throw new IllegalArgumentException("a reply has from 0 to " + MAX_LENGTH + " bytes, not " + length);
        }
        reply = memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public void reject(String reason) {
        throw new IllegalArgumentException(reason);
    }

    @Override
    public void event(long session, MemorySegment memory, long offset, int length) {
        throw new IllegalStateException("a query sends no events");
    }
}
