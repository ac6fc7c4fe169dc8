package io.slipstream.service.protocol;

import io.slipstream.core.frame.Frame;
import java.lang.foreign.MemorySegment;

/**
 * Payload of {@link MessageType#BUSY}: when to come back, how much there is to do, and why the request was refused.
 *
 * <pre>
 *   0 retry after (ns)   8 pending commands   16 limit of pending commands   24 reason (int)   28 zero
 * </pre>
 */
public final class Busy {
    /** Bytes of the payload. */
    public static final int BYTES = 32;

    private static final Reason[] REASONS = Reason.values();

    /** Why a request is refused; the place in this list is its number on the wire, so new ones go to the end. */
    public enum Reason {
        /** As many requests wait as can be answered in time. */
        PENDING("the service is busy"),
        /** The device of the log is full. */
        LOG_FULL("the log of the service has no room left on its device"),
        /** This client sends more than it may. */
        CLIENT_LIMIT("this client sends more than it may");

        private final String text;

        Reason(String text) {
            this.text = text;
        }

        /** Returns the reason in words. */
        public String text() {
            return text;
        }
    }

    private Busy() {}

    /** Writes the payload. */
    public static void encodePayload(
            MemorySegment memory, long offset, Reason reason, long retryAfterNanos, long pending, long limit) {
        Message.payloadLong(memory, offset, 0, retryAfterNanos);
        Message.payloadLong(memory, offset, 8, pending);
        Message.payloadLong(memory, offset, 16, limit);
        Message.payloadLong(memory, offset, 24, reason.ordinal());
    }

    /** Returns why the request was refused. */
    public static Reason reason(MemorySegment memory, long offset) {
        boolean says = Frame.length(memory, offset) >= Message.HEADER_BYTES + BYTES;
        int number = says ? Message.payloadInt(memory, offset, 24) : 0;
        return number >= 0 && number < REASONS.length ? REASONS[number] : Reason.PENDING;
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
