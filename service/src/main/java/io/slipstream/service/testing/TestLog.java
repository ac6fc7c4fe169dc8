package io.slipstream.service.testing;

import io.slipstream.core.frame.Frame;
import io.slipstream.service.protocol.Message;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** A log in memory: frames as a journal would hold them, and the hash of the state behind each. */
final class TestLog {
    private final List<Entry> entries = new ArrayList<>();

    record Entry(MemorySegment frame, long hash) {}

    /** Returns a frame with an empty payload, to be filled in, of the next entry. */
    MemorySegment frame(short type, int payload, long session, long correlation, long timeNanos) {
        MemorySegment frame = MemorySegment.ofArray(new long[Frame.align(Message.HEADER_BYTES + payload) / Long.BYTES]);
        Message.header(frame, 0, type, payload, session, correlation);
        Message.sequence(frame, 0, entries.size() + 1L);
        Message.timeNanos(frame, 0, timeNanos);
        return frame;
    }

    void add(MemorySegment frame, long hash) {
        entries.add(new Entry(frame, hash));
    }

    List<Entry> entries() {
        return entries;
    }
}
