package io.slipstream.service.protocol;

import io.slipstream.core.frame.Frame;
import java.lang.foreign.MemorySegment;

/**
 * Payload of {@link MessageType#HELLO}: magic, the client's key, and the last output that it has seen.
 *
 * <pre>
 *   0 magic   8 key   16 last sequence   24 last index (int)   28 revision (int)
 * </pre>
 *
 * The key is chosen by the client, at random and not 0; who knows it may resume the session. The gateway sets the
 * correlation: the number of the connection, and in its lowest bit whether the session ends with that. What the client
 * has put there, its own number of the connection, goes into the payload.
 *
 * <p>The revision says which rules of version 1 the client keeps that it did not have at first: 0 none, from 1 on those
 * of {@link #REVISION}. What is in the log has, in place of the revision and the token:
 *
 * <pre>
 *   28 bytes of the number (int): 0 or 8   32 the client's number of the connection, see {@link ConnectionNumbers}
 *   32 or 40 name of the principal in UTF-8
 * </pre>
 */
public final class Hello {
    /** First bytes of a stream that is meant for a service: "SLIPSTRM". */
    public static final long MAGIC = 0x4d52545350494c53L;

    /** Bytes of the payload. */
    public static final int BYTES = 32;

    /**
     * The newest revision. A client of revision 1 sends something at least every {@link #SIGN_OF_LIFE_NANOS}, and is
     * taken for dead when it has sent nothing for {@link #SILENCE_NANOS}. It knows SUBSCRIBED with the correlation 0:
     * the service has subscribed it anew, since it had left too much unread.
     */
    public static final int REVISION = 1;

    /** A client of revision 1 that has nothing to send for so long asks for the status of the service. */
    public static final long SIGN_OF_LIFE_NANOS = 5_000_000_000L;

    /** After so long without a byte a service takes a client of revision 1 for dead. */
    public static final long SILENCE_NANOS = 30_000_000_000L;

    private static final int NUMBER_BYTES_OFFSET = 28;

    private Hello() {}

    /** Returns the correlation of the HELLO of a connection. */
    public static long correlation(long connection, boolean endsWithConnection) {
        return connection << 1 | (endsWithConnection ? 1 : 0);
    }

    /** Returns whether the session that the HELLO with that correlation has opened ends with its connection. */
    public static boolean endsWithConnection(long correlation) {
        return (correlation & 1) != 0;
    }

    /** Writes the whole message. */
    public static void encode(MemorySegment memory, long offset, long key, long lastSequence, int lastIndex) {
        Frame.length(memory, offset, Message.HEADER_BYTES + BYTES);
        encodeWithoutLength(memory, offset, key, lastSequence, lastIndex);
    }

    /** Writes all of the message but its length, which a ring writes itself: it publishes the frame. */
    public static void encodeWithoutLength(
            MemorySegment memory, long offset, long key, long lastSequence, int lastIndex) {
        Message.headerWithoutLength(memory, offset, MessageType.HELLO, 0, 0);
        Message.payloadLong(memory, offset, 0, MAGIC);
        Message.payloadLong(memory, offset, 8, key);
        Message.payloadLong(memory, offset, 16, lastSequence);
        Message.payloadInt(memory, offset, 24, lastIndex);
        Message.payloadInt(memory, offset, 28, 0);
    }

    /** Returns how many bytes of a payload in the log are before the name of the principal. */
    public static int entryBytes(long number) {
        return number == 0 ? BYTES : BYTES + Long.BYTES;
    }

    /** As {@link #encodeWithoutLength}, for the log; the principal goes behind it. */
    public static void encodeEntryWithoutLength(
            MemorySegment memory, long offset, long key, long lastSequence, int lastIndex, long number) {
        encodeWithoutLength(memory, offset, key, lastSequence, lastIndex);
        if (number != 0) {
            Message.payloadInt(memory, offset, NUMBER_BYTES_OFFSET, Long.BYTES);
            Message.payloadLong(memory, offset, BYTES, number);
        }
    }

    /** Returns the client's number of the connection, of what is in the log; 0 for none. */
    public static long number(MemorySegment memory, long offset) {
        return Message.payloadInt(memory, offset, NUMBER_BYTES_OFFSET) == Long.BYTES
                ? Message.payloadLong(memory, offset, BYTES)
                : 0;
    }

    /** Returns the revision. */
    public static int revision(MemorySegment memory, long offset) {
        return Message.payloadInt(memory, offset, 28);
    }

    /** Writes the revision. */
    public static void revision(MemorySegment memory, long offset, int revision) {
        Message.payloadInt(memory, offset, 28, revision);
    }

    /** Returns the magic. */
    public static long magic(MemorySegment memory, long offset) {
        return Message.payloadLong(memory, offset, 0);
    }

    /** Returns the key. */
    public static long key(MemorySegment memory, long offset) {
        return Message.payloadLong(memory, offset, 8);
    }

    /** Returns the sequence of the last output that the client has seen; 0 for none. */
    public static long lastSequence(MemorySegment memory, long offset) {
        return Message.payloadLong(memory, offset, 16);
    }

    /** Returns the index of the last output that the client has seen. */
    public static int lastIndex(MemorySegment memory, long offset) {
        return Message.payloadInt(memory, offset, 24);
    }
}
