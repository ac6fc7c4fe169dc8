package io.slipstream.service.protocol;

import java.lang.foreign.MemorySegment;

/**
 * Payload of {@link MessageType#WELCOME}; the header's session is the session's number.
 *
 * <pre>
 *   0 outputs that follow (int)   4 missed (int, 0 or 1)   8 window (int)   12 longest frame (int)
 * </pre>
 */
public final class Welcome {
    /** Bytes of the payload. */
    public static final int BYTES = 16;

    private Welcome() {}

    /** Writes the payload. */
    public static void encodePayload(
            MemorySegment memory, long offset, int following, boolean missed, int window, int maxFrameLength) {
        Message.payloadInt(memory, offset, 0, following);
        Message.payloadInt(memory, offset, 4, missed ? 1 : 0);
        Message.payloadInt(memory, offset, 8, window);
        Message.payloadInt(memory, offset, 12, maxFrameLength);
    }

    /** Returns how many outputs follow that the client has not seen yet. */
    public static int following(MemorySegment memory, long offset) {
        return Message.payloadInt(memory, offset, 0);
    }

    /**
     * Returns whether outputs that the client has not seen are no longer kept, or those that it has seen are of another
     * log.
     */
    public static boolean missed(MemorySegment memory, long offset) {
        return Message.payloadInt(memory, offset, 4) != 0;
    }

    /** Returns by how much a correlation may be older than the newest one and still be told from a resend. */
    public static int window(MemorySegment memory, long offset) {
        return Message.payloadInt(memory, offset, 8);
    }

    /** Returns the longest frame in bytes, header included, that the service takes. */
    public static int maxFrameLength(MemorySegment memory, long offset) {
        return Message.payloadInt(memory, offset, 12);
    }
}
