package io.slipstream.replica.backup;

import io.slipstream.service.machine.Output;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Takes the reply to a query; nothing else is a query's business. */
final class QueryOutput implements Output {
    private final long timeNanos;
    private final int version;
    private byte[] reply = new byte[0];

    /** For a query behind an entry of that time, in a log that has come to that version. */
    QueryOutput(long timeNanos, int version) {
        this.timeNanos = timeNanos;
        this.version = version;
    }

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
    public long timeNanos() {
        return timeNanos;
    }

    @Override
    public int version() {
        return version;
    }

    @Override
    public void event(long session, MemorySegment memory, long offset, int length) {
        throw new IllegalStateException("a query sends no events");
    }
}
