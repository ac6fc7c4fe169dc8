package io.slipstream.service.protocol;

import io.slipstream.core.frame.Frame;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The header of every message, and access to it. All numbers are little-endian; frames are padded to a multiple of
 * {@link Frame#ALIGNMENT} bytes, also on the socket.
 *
 * <pre>
 *    0           4            8      10       11      12          16                24
 *   +-----------+------------+------+---------+-------+-----------+-----------------+
 *   | length    | checksum   | type | version | flags | epoch or  | sequence        |
 *   |           |            |      |         |       | index     |                 |
 *   +-----------+------------+------+---------+-------+-----------+-----------------+
 *   24                 32                 40              48
 *   +------------------+------------------+---------------+----------- - -
 *   | session          | correlation      | time (ns)     | payload ...
 *   +------------------+------------------+---------------+----------- - -
 * </pre>
 *
 * <p>The client fills length, type, version, flags and correlation; the gateway the session; the journal checksum,
 * epoch, sequence and time. In what the service sends, sequence is that of the command which caused it, and the field
 * behind the flags holds its index among the outputs of that command to this session.
 *
 * <p>Behind the gateway the flags of a request say on which of the connections that its session has had it came; see
 * {@link #resumption}.
 */
public final class Message {
    /** Version of this protocol. */
    public static final byte VERSION = 1;

    /** Offset of the type. */
    public static final int TYPE_OFFSET = 8;

    /** Offset of the version. */
    public static final int VERSION_OFFSET = 10;

    /** Offset of the flags. */
    public static final int FLAGS_OFFSET = 11;

    /** Offset of the epoch (in the log) or the index (in outputs). */
    public static final int INDEX_OFFSET = 12;

    /** Offset of the sequence. */
    public static final int SEQUENCE_OFFSET = 16;

    /** Offset of the session. */
    public static final int SESSION_OFFSET = 24;

    /** Offset of the correlation. */
    public static final int CORRELATION_OFFSET = 32;

    /** Offset of the time in nanoseconds since 1970. */
    public static final int TIME_OFFSET = 40;

    /** Flag of a message that the client has sent before, on an earlier connection: it may have been applied. */
    public static final byte RESENT = 1;

    /** Flag of an item that belongs to the snapshot of a topic. */
    public static final byte SNAPSHOT = 2;

    /**
     * Flag of a reply or an event whose payload goes on in the next message that the service has for this session. Only
     * a client that ends its session with its connection gets such, in whatever language it speaks.
     */
    public static final byte MORE = 4;

    /** In place of the sequence of an entry for which the log had no room. */
    public static final long UNLOGGED = -1;

    /** In place of the sequence of a request that has waited longer than it may, and is refused. */
    public static final long LATE = -2;

    /** In place of the correlation of what a gateway asks for by itself. */
    public static final long UNASKED = Long.MIN_VALUE;

    /** Bytes of the header; the payload begins here. */
    public static final int HEADER_BYTES = 48;

    /**
     * Longest frame in bytes, header included, that a service sends. No setting changes it, so that a state machine
     * meets the same limit when its log is replayed, and a client takes whatever a service sends.
     */
    public static final int MAX_OUTPUT_BYTES = 1 << 18;

    /** The resumptions of a session are counted up to this number, and then from 0 on again. */
    public static final int RESUMPTIONS = 128;

    private static final int RESUMPTION_SHIFT = 1;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Message() {}

    /** Writes a whole header for a message with {@code payloadLength} bytes of payload. */
    public static void header(
            MemorySegment memory, long offset, short type, int payloadLength, long session, long correlation) {
        memory.set(INT, offset + Frame.LENGTH_OFFSET, HEADER_BYTES + payloadLength);
        headerWithoutLength(memory, offset, type, session, correlation);
    }

    /**
     * Writes all of a header but the length. Use it for what was claimed in a ring for one publisher: there the length
     * publishes the frame, so the ring writes it, and last.
     */
    public static void headerWithoutLength(
            MemorySegment memory, long offset, short type, long session, long correlation) {
        memory.set(INT, offset + Frame.TAG_OFFSET, 0);
        memory.set(SHORT, offset + TYPE_OFFSET, type);
        memory.set(ValueLayout.JAVA_BYTE, offset + VERSION_OFFSET, VERSION);
        flags(memory, offset, (byte) 0);
        memory.set(INT, offset + INDEX_OFFSET, 0);
        memory.set(LONG, offset + SEQUENCE_OFFSET, 0);
        memory.set(LONG, offset + SESSION_OFFSET, session);
        memory.set(LONG, offset + CORRELATION_OFFSET, correlation);
        memory.set(LONG, offset + TIME_OFFSET, 0);
    }

    /** Returns the type, one of {@link MessageType}. */
    public static short type(MemorySegment memory, long offset) {
        return memory.get(SHORT, offset + TYPE_OFFSET);
    }

    /** Returns the version of the protocol that the sender speaks. */
    public static byte version(MemorySegment memory, long offset) {
        return memory.get(ValueLayout.JAVA_BYTE, offset + VERSION_OFFSET);
    }

    /** Writes the flags. */
    public static void flags(MemorySegment memory, long offset, byte flags) {
        memory.set(ValueLayout.JAVA_BYTE, offset + FLAGS_OFFSET, flags);
    }

    /** Returns the flags. */
    public static byte flags(MemorySegment memory, long offset) {
        return memory.get(ValueLayout.JAVA_BYTE, offset + FLAGS_OFFSET);
    }

    /** Returns whether the client has sent this message before. */
    public static boolean isResent(MemorySegment memory, long offset) {
        return (memory.get(ValueLayout.JAVA_BYTE, offset + FLAGS_OFFSET) & RESENT) != 0;
    }

    /** Returns on which connection of its session a request came. */
    public static int resumption(MemorySegment memory, long offset) {
        return (flags(memory, offset) & 0xFF) >>> RESUMPTION_SHIFT;
    }

    /**
     * Writes on which connection of its session a request came, in place of the flags that its client has set.
     *
     * @param resumption how often the session had been resumed when that connection got it, modulo {@link #RESUMPTIONS}
     */
    public static void resumption(MemorySegment memory, long offset, int resumption) {
        flags(memory, offset, (byte) (resumption << RESUMPTION_SHIFT));
    }

    /** Returns whether this item belongs to the snapshot of a topic. */
    public static boolean isSnapshot(MemorySegment memory, long offset) {
        return (memory.get(ValueLayout.JAVA_BYTE, offset + FLAGS_OFFSET) & SNAPSHOT) != 0;
    }

    /** Returns whether the payload goes on in the next message for this session. */
    public static boolean hasMore(MemorySegment memory, long offset) {
        return (memory.get(ValueLayout.JAVA_BYTE, offset + FLAGS_OFFSET) & MORE) != 0;
    }

    /** Returns the index of an output among those of its command to this session. */
    public static int index(MemorySegment memory, long offset) {
        return memory.get(INT, offset + INDEX_OFFSET);
    }

    /** Writes the index of an output. */
    public static void index(MemorySegment memory, long offset, int index) {
        memory.set(INT, offset + INDEX_OFFSET, index);
    }

    /** Returns the place in the log. */
    public static long sequence(MemorySegment memory, long offset) {
        return memory.get(LONG, offset + SEQUENCE_OFFSET);
    }

    /** Writes the place in the log. */
    public static void sequence(MemorySegment memory, long offset, long sequence) {
        memory.set(LONG, offset + SEQUENCE_OFFSET, sequence);
    }

    /** Returns the session. */
    public static long session(MemorySegment memory, long offset) {
        return memory.get(LONG, offset + SESSION_OFFSET);
    }

    /** Writes the session. */
    public static void session(MemorySegment memory, long offset, long session) {
        memory.set(LONG, offset + SESSION_OFFSET, session);
    }

    /** Returns the client's number of the command that this is, or answers. */
    public static long correlation(MemorySegment memory, long offset) {
        return memory.get(LONG, offset + CORRELATION_OFFSET);
    }

    /** Writes the correlation. */
    public static void correlation(MemorySegment memory, long offset, long correlation) {
        memory.set(LONG, offset + CORRELATION_OFFSET, correlation);
    }

    /** Returns the time of the log entry in nanoseconds since 1970. */
    public static long timeNanos(MemorySegment memory, long offset) {
        return memory.get(LONG, offset + TIME_OFFSET);
    }

    /** Writes the time. */
    public static void timeNanos(MemorySegment memory, long offset, long timeNanos) {
        memory.set(LONG, offset + TIME_OFFSET, timeNanos);
    }

    /** Returns the long at {@code at} bytes into the payload. */
    public static long payloadLong(MemorySegment memory, long offset, int at) {
        return memory.get(LONG, offset + HEADER_BYTES + at);
    }

    /** Writes a long at {@code at} bytes into the payload. */
    public static void payloadLong(MemorySegment memory, long offset, int at, long value) {
        memory.set(LONG, offset + HEADER_BYTES + at, value);
    }

    /** Returns the int at {@code at} bytes into the payload. */
    public static int payloadInt(MemorySegment memory, long offset, int at) {
        return memory.get(INT, offset + HEADER_BYTES + at);
    }

    /** Writes an int at {@code at} bytes into the payload. */
    public static void payloadInt(MemorySegment memory, long offset, int at, int value) {
        memory.set(INT, offset + HEADER_BYTES + at, value);
    }
}
