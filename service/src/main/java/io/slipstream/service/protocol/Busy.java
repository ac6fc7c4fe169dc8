package io.slipstream.service.protocol;

import java.lang.foreign.MemorySegment;

/**
 * Payload of {@link MessageType#BUSY}: when to come back, and how much there is to do.
 *
 * <pre>
 *   0 retry after (ns)   8 pending commands   16 limit of pending commands
 * </pre>
 */
public final class Busy {
    /** Bytes of the payload. */
    public static final int BYTES = 24;

    private Busy() {
    }

    /** Writes the payload. */
    public static void encodePayload(MemorySegment memory, long offset, long retryAfterNanos, long pending,
            long limit) {
        Message.payloadLong(memory, offset, 0, retryAfterNanos);
        Message.payloadLong(memory, offset, 8, pending);
        Message.payloadLong(memory, offset, 16, limit);
    }

    /** Returns after how many nanoseconds there is likely to be room. */
    public static long retryAfterNanos(MemorySegment memory, long offset) {
        return Message.payloadLong(memory, offset, 0);
    }

    /** Returns how many commands were waiting. */
    public static long pending(MemorySegment memory, long offset) {
        return Message.payloadLong(memory, offset, 8);
    }

    /** Returns how many commands may wait at present. */
    public static long limit(MemorySegment memory, long offset) {
        return Message.payloadLong(memory, offset, 16);
    }
}
