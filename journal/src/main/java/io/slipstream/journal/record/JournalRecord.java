package io.slipstream.journal.record;

import io.slipstream.core.frame.Frame;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The header of a record: a {@link Frame} whose message begins with what a journal needs to know.
 *
 * <pre>
 *    0            4            8        10   11   12           16                       24
 *   +------------+------------+--------+----+----+------------+------------------------+------ - -
 *   | length     | checksum   | type   |ver |flag| epoch      | sequence               | payload
 *   +------------+------------+--------+----+----+------------+------------------------+------ - -
 *    frame header: the tag      the appender's     the journal's
 *    is the checksum
 * </pre>
 *
 * <p>Little-endian. The appender writes length, type (0 or above; the negative ones are the journal's own), version,
 * flags and payload; {@link io.slipstream.journal.Journal#append} fills checksum, epoch and sequence in. The checksum
 * is the CRC-32C of everything from the type to the aligned end of the frame, whose padding is zero, mixed with the
 * length.
 */
public final class JournalRecord {
    /** Offset of the type, a short. */
    public static final int TYPE_OFFSET = 8;

    /** Offset of the version, a byte. */
    public static final int VERSION_OFFSET = 10;

    /** Offset of the flags, a byte. */
    public static final int FLAGS_OFFSET = 11;

    /** Offset of the epoch, an int. */
    public static final int EPOCH_OFFSET = 12;

    /** Offset of the sequence, a long. */
    public static final int SEQUENCE_OFFSET = 16;

    /** Bytes of the whole header; the payload begins here. */
    public static final int HEADER_BYTES = 24;

    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private JournalRecord() {}

    /** Returns the type of the record at {@code offset}. */
    public static short type(MemorySegment memory, long offset) {
        return memory.get(SHORT, offset + TYPE_OFFSET);
    }

    /** Returns the version of the record's payload, as the appender has set it. */
    public static byte version(MemorySegment memory, long offset) {
        return memory.get(ValueLayout.JAVA_BYTE, offset + VERSION_OFFSET);
    }

    /** Returns the flags, as the appender has set them. */
    public static byte flags(MemorySegment memory, long offset) {
        return memory.get(ValueLayout.JAVA_BYTE, offset + FLAGS_OFFSET);
    }

    /** Returns the epoch: which opening of the journal has written the record. */
    public static int epoch(MemorySegment memory, long offset) {
        return memory.get(INT, offset + EPOCH_OFFSET);
    }

    /** Returns the sequence: the first record of a journal has 1, each further one the next number. */
    public static long sequence(MemorySegment memory, long offset) {
        return memory.get(LONG, offset + SEQUENCE_OFFSET);
    }

    /** Writes what the appender owns of a header: length, type, version and flags; clears what the journal fills in. */
    public static void header(MemorySegment memory, long offset, int length, short type, byte version, byte flags) {
        Frame.length(memory, offset, length);
        Frame.tag(memory, offset, 0);
        memory.set(SHORT, offset + TYPE_OFFSET, type);
        memory.set(ValueLayout.JAVA_BYTE, offset + VERSION_OFFSET, version);
        memory.set(ValueLayout.JAVA_BYTE, offset + FLAGS_OFFSET, flags);
        memory.set(INT, offset + EPOCH_OFFSET, 0);
        memory.set(LONG, offset + SEQUENCE_OFFSET, 0L);
    }
}
