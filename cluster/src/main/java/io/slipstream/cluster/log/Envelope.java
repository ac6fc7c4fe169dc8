package io.slipstream.cluster.log;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * An entry of the replicated log: frames of one gateway that follow each other.
 *
 * <pre>
 *   0 version (byte)  1 flags (byte)  2 zero (short)  4 member (int)
 *   8 origin   16 start   24 end   32 frames ...
 * </pre>
 *
 * <p>Start and end are positions in the ring of the gateway. The frames between them that are no log entries, such as
 * queries, are not among those that follow.
 */
public final class Envelope {
    /** Bytes of what is before the frames. */
    public static final int HEADER_BYTES = 32;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final byte VERSION = 1;
    private static final byte FIRST = 1;
    private static final byte PROBE = 2;

    private Envelope() {}

    static void encode(MemorySegment memory, int member, long origin, long start, long end, boolean first) {
        header(memory, first ? FIRST : 0, member, origin, start, end);
    }

    /** An entry without frames, by which a gateway finds out whether it reaches the log. */
    static void encodeProbe(MemorySegment memory, int member, long origin, long number) {
        header(memory, PROBE, member, origin, number, number);
    }

    private static void header(MemorySegment memory, byte flags, int member, long origin, long start, long end) {
        memory.set(ValueLayout.JAVA_BYTE, 0, VERSION);
        memory.set(ValueLayout.JAVA_BYTE, 1, flags);
        memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, 2, (short) 0);
        memory.set(INT, 4, member);
        memory.set(LONG, 8, origin);
        memory.set(LONG, 16, start);
        memory.set(LONG, 24, end);
    }

    /** Checks that this version can read an entry. */
    public static void requireSound(MemorySegment memory, long offset, int length) {
        if (length < HEADER_BYTES || memory.get(ValueLayout.JAVA_BYTE, offset) != VERSION) {
            throw new IllegalStateException(
                    "the log has an entry that this version cannot read: " + length + " bytes, of which the first is "
                            + (length == 0 ? "missing" : memory.get(ValueLayout.JAVA_BYTE, offset)));
        }
    }

    /** Returns whether a life of a gateway begins with it. */
    public static boolean isFirst(MemorySegment memory, long offset) {
        return (memory.get(ValueLayout.JAVA_BYTE, offset + 1) & FIRST) != 0;
    }

    /** Returns whether it has no frames. */
    public static boolean isProbe(MemorySegment memory, long offset) {
        return (memory.get(ValueLayout.JAVA_BYTE, offset + 1) & PROBE) != 0;
    }

    /** Returns whose gateway has sent it. */
    public static int member(MemorySegment memory, long offset) {
        return memory.get(INT, offset + 4);
    }

    /** Returns in which life of the gateway. */
    public static long origin(MemorySegment memory, long offset) {
        return memory.get(LONG, offset + 8);
    }

    /** Returns the position of its first frame. */
    public static long start(MemorySegment memory, long offset) {
        return memory.get(LONG, offset + 16);
    }

    /** Returns the position behind its last frame. */
    public static long end(MemorySegment memory, long offset) {
        return memory.get(LONG, offset + 24);
    }
}
