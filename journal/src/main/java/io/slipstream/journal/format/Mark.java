package io.slipstream.journal.format;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.record.JournalRecord;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * A frame of the journal's own. Its sequence is that of the next record.
 *
 * <pre>
 *   24  long  durable sequence: every record up to it had been forced when this was written
 *   32  long  time in milliseconds since 1970
 *   40  end
 * </pre>
 */
public final class Mark {
    /** Type of a mark. */
    public static final short TYPE = -1;

    /** Flag of the first mark of an epoch. */
    public static final byte OPENED = 1;

    /** Flag of the last mark of an epoch, if the journal was closed properly. */
    public static final byte CLOSED = 2;

    /** Length of a mark, header included. */
    public static final int LENGTH = 40;

    /** Bytes that a mark takes in a file. */
    public static final int BYTES = Frame.align(LENGTH);

    private static final byte VERSION = 1;
    private static final int DURABLE_OFFSET = JournalRecord.HEADER_BYTES;
    private static final int TIME_OFFSET = DURABLE_OFFSET + Long.BYTES;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Mark() {}

    /** Writes a mark, without its length and the fields of the seal. */
    public static void write(MemorySegment memory, long offset, byte flags, long durableSequence, long timeMillis) {
        JournalRecord.header(memory, offset, 0, TYPE, VERSION, flags);
        memory.set(LONG, offset + DURABLE_OFFSET, durableSequence);
        memory.set(LONG, offset + TIME_OFFSET, timeMillis);
        memory.set(LONG, offset + LENGTH, 0L);
    }

    /** Returns the last record that had been forced when the mark was written. */
    public static long durableSequence(MemorySegment memory, long offset) {
        return memory.get(LONG, offset + DURABLE_OFFSET);
    }

    /** Returns when the mark was written, in milliseconds since 1970. */
    public static long timeMillis(MemorySegment memory, long offset) {
        return memory.get(LONG, offset + TIME_OFFSET);
    }
}
