package io.slipstream.cluster.log;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

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

    private static final byte VERSION = 1;
    private static final byte FIRST = 1;
    private static final byte PROBE = 2;

    private Envelope() {}

    static void encode(MutableDirectBuffer buffer, int member, long origin, long start, long end, boolean first) {
        header(buffer, first ? FIRST : 0, member, origin, start, end);
    }

    /** An entry without frames, by which a gateway finds out whether it reaches the log. */
    static void encodeProbe(MutableDirectBuffer buffer, int member, long origin, long number) {
        header(buffer, PROBE, member, origin, number, number);
    }

    private static void header(MutableDirectBuffer buffer, byte flags, int member, long origin, long start, long end) {
        buffer.putByte(0, VERSION);
        buffer.putByte(1, flags);
        buffer.putShort(2, (short) 0);
        buffer.putInt(4, member, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(8, origin, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(16, start, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(24, end, ByteOrder.LITTLE_ENDIAN);
    }

    /** Checks that this version can read an entry. */
    public static void requireSound(DirectBuffer buffer, int offset, int length) {
        if (length < HEADER_BYTES || buffer.getByte(offset) != VERSION) {
            throw new IllegalStateException("the log has an entry that this version cannot read: " + length
                    + " bytes, of which the first is " + (length == 0 ? "missing" : buffer.getByte(offset)));
        }
    }

    /** Returns whether a life of a gateway begins with it. */
    public static boolean isFirst(DirectBuffer buffer, int offset) {
        return (buffer.getByte(offset + 1) & FIRST) != 0;
    }

    /** Returns whether it has no frames. */
    public static boolean isProbe(DirectBuffer buffer, int offset) {
        return (buffer.getByte(offset + 1) & PROBE) != 0;
    }

    /** Returns whose gateway has sent it. */
    public static int member(DirectBuffer buffer, int offset) {
        return buffer.getInt(offset + 4, ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns in which life of the gateway. */
    public static long origin(DirectBuffer buffer, int offset) {
        return buffer.getLong(offset + 8, ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns the position of its first frame. */
    public static long start(DirectBuffer buffer, int offset) {
        return buffer.getLong(offset + 16, ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns the position behind its last frame. */
    public static long end(DirectBuffer buffer, int offset) {
        return buffer.getLong(offset + 24, ByteOrder.LITTLE_ENDIAN);
    }
}
