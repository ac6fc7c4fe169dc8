package io.slipstream.replica.primary;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.JournalReader;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.record.RecordHandler;
import io.slipstream.replica.wire.Kind;
import io.slipstream.replica.wire.Link;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Gathers records from the journal and sends them, as many as there are up to a bound. For one thread.
 *
 * <p>Its memory is bounded by {@link #MOST_BYTES}, or by the longest record.
 */
final class Batch {
    /** How many bytes a message has at most, unless it is one record. */
    static final int TARGET_BYTES = 1 << 18;

    /** How many bytes are gathered at most, unless it is one record. */
    static final int MOST_BYTES = 1 << 23;

    private static final int HEAD_BYTES = 2 * Long.BYTES;
    private static final int MOST_SENDABLE_BYTES = Link.MAX_BYTES - HEAD_BYTES;
    private static final int RECORDS_AT_ONCE = 256;
    private static final Full FULL = new Full();

    private final RecordHandler gather = this::gather;
    private byte[] bytes = new byte[2 * TARGET_BYTES];
    private int end = HEAD_BYTES;
    private int count;

    /** Ends a poll before a record that has no room. */
    private static final class Full extends RuntimeException {
        private static final long serialVersionUID = 1;

        Full() {
            super(null, null, false, false);
        }
    }

    /**
     * Checks that all that comes can be sent.
     *
     * @throws IOException if a record is too long; the message names it
     */
    static void requireSendable(JournalReader reader) throws IOException {
        RecordHandler check = (memory, offset, length) -> {
            if (Frame.align(length) > MOST_SENDABLE_BYTES) {
                throw new TooLong(JournalRecord.sequence(memory, offset), Frame.align(length));
            }
        };
        try {
            while (reader.poll(check, RECORDS_AT_ONCE) > 0) {
                // Until there is nothing more.
            }
        } catch (TooLong e) {
            throw new IOException(e.getMessage());
        }
    }

    /** Ends a poll at a record that no site takes. */
    private static final class TooLong extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooLong(long sequence, int bytes) {
            super(tooLong(sequence, bytes), null, false, false);
        }
    }

    /** Reads what comes next, about {@code target} bytes; returns how many records there are, 0 for none yet. */
    int read(JournalReader reader, int target) throws JournalException {
        end = HEAD_BYTES;
        count = 0;
        // The fewer bytes are wanted, the fewer records are taken at once.
        int atOnce = Math.clamp(target / (2L * JournalRecord.HEADER_BYTES), 1, RECORDS_AT_ONCE);
        try {
            int polled;
            do {
                polled = reader.poll(gather, atOnce);
            } while (polled == atOnce && end < target);
        } catch (Full e) {
            // What was gathered before goes first.
        }
        return count;
    }

    /** Returns how many bytes of records were read. */
    int size() {
        return end - HEAD_BYTES;
    }

    /**
     * Sends what was read, the first of it with that sequence, in messages of at most {@code target} bytes or one
     * record.
     */
    void send(Link link, long firstSequence, long durableSequence, int target) throws IOException {
        MemorySegment memory = MemorySegment.ofArray(bytes);
        int from = HEAD_BYTES;
        long first = firstSequence;
        while (from < end) {
            int to = from;
            long next = first;
            while (to < end) {
                int size = Frame.align(Frame.length(memory, to));
                if (to > from && to + size - from > target) {
                    break;
                }
                to += size;
                next++;
            }
            if (to - from > MOST_SENDABLE_BYTES) {
                throw new IOException(tooLong(first, to - from) + "; keep commands shorter");
            }
            // The head goes where records were that have been sent.
            ByteBuffer message = ByteBuffer.wrap(bytes, from - HEAD_BYTES, to - from + HEAD_BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN);
            message.putLong(from - HEAD_BYTES, durableSequence).putLong(from - HEAD_BYTES + Long.BYTES, first);
            link.send(Kind.DATA, message);
            from = to;
            first = next;
        }
    }

    private static String tooLong(long sequence, int bytes) {
        return "record " + sequence + " has " + bytes + " bytes, and sites exchange at most " + MOST_SENDABLE_BYTES
                + " at once";
    }

    private void gather(MemorySegment memory, long offset, int length) {
        int size = Frame.align(length);
        if (count > 0 && end + size > MOST_BYTES) {
            throw FULL;
        }
        if (bytes.length - end < size) {
            byte[] larger = new byte[Math.max(2 * bytes.length, end + size)];
            System.arraycopy(bytes, 0, larger, 0, end);
            bytes = larger;
        }
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset, bytes, end, size);
        end += size;
        count++;
    }
}
