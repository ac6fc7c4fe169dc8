package io.slipstream.replica.primary;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.JournalReader;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.record.RecordHandler;
import io.slipstream.replica.wire.Kind;
import io.slipstream.replica.wire.Link;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Gathers records from the journal and sends them, as many as there are up to a bound. For one thread. */
final class Batch {
    private static final int HEAD_BYTES = 2 * Long.BYTES;
    private static final int TARGET_BYTES = 1 << 18;
    private static final int RECORDS_AT_ONCE = 256;

    private final RecordHandler gather = this::gather;
    private byte[] bytes = new byte[2 * TARGET_BYTES];
    private int end = HEAD_BYTES;

    /** Reads what comes next; returns how many records there are, 0 if there is none yet. */
    int read(JournalReader reader) throws JournalException {
        end = HEAD_BYTES;
        int count = 0;
        int polled;
        do {
            polled = reader.poll(gather, RECORDS_AT_ONCE);
            count += polled;
        } while (polled == RECORDS_AT_ONCE && end < TARGET_BYTES);
        return count;
    }

    /** Sends what was read, the first of it with that sequence; returns the bytes. */
    int send(Link link, long firstSequence, long durableSequence) throws IOException {
        MemorySegment memory = MemorySegment.ofArray(bytes);
        int from = HEAD_BYTES;
        long first = firstSequence;
        while (from < end) {
            int to = from;
            long next = first;
            while (to < end) {
                int size = Frame.align(Frame.length(memory, to));
                if (to > from && to + size - from > Link.MAX_BYTES / 2) {
                    break;
                }
                to += size;
                next++;
            }
            // The head goes where records were that have been sent.
            ByteBuffer message = ByteBuffer.wrap(bytes, from - HEAD_BYTES, to - from + HEAD_BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN);
            message.putLong(from - HEAD_BYTES, durableSequence).putLong(from - HEAD_BYTES + Long.BYTES, first);
            link.send(Kind.DATA, message);
            from = to;
            first = next;
        }
        return end - HEAD_BYTES;
    }

    private void gather(MemorySegment memory, long offset, int length) {
        int size = Frame.align(length);
        if (bytes.length - end < size) {
            byte[] larger = new byte[Math.max(2 * bytes.length, end + size)];
            System.arraycopy(bytes, 0, larger, 0, end);
            bytes = larger;
        }
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset, bytes, end, size);
        end += size;
    }

}
