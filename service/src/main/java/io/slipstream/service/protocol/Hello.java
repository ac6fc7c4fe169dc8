package io.slipstream.service.protocol;

import io.slipstream.core.frame.Frame;
import java.lang.foreign.MemorySegment;

/**
 * Payload of {@link MessageType#HELLO}: magic, the client's key, and the last output that it has seen.
 *
 * <pre>
 *   0 magic   8 key   16 last sequence   24 last index (int)   28 zero (int)
 * </pre>
 *
 * The key is chosen by the client, at random and not 0; who knows it may resume the session. The gateway sets the
 * correlation: the number of the connection, and in its lowest bit whether the session ends with that.
 */
public final class Hello {
    /** First bytes of a stream that is meant for a service: "SLIPSTRM". */
    public static final long MAGIC = 0x4d52545350494c53L;

    /** Bytes of the payload. */
    public static final int BYTES = 32;

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
