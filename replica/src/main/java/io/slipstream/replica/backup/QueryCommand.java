package io.slipstream.replica.backup;

import io.slipstream.service.machine.Request;
import java.lang.foreign.MemorySegment;

/** A query to the warm state machine. It has no session: none of the primary's clients has asked. */
record QueryCommand(MemorySegment memory, long sequence, long timeNanos) implements Request {
    @Override
    public String principal() {
        return "";
    }

    @Override
    public long offset() {
        return 0;
    }

    @Override
    public int length() {
        return (int) memory.byteSize();
    }

    @Override
    public long session() {
        return 0;
    }

    @Override
    public long correlation() {
        return 0;
    }
}
