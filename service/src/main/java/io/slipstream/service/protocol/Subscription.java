package io.slipstream.service.protocol;

import java.lang.foreign.MemorySegment;

/**
 * Payload of {@link MessageType#SUBSCRIBE} and {@link MessageType#SUBSCRIBED}: a topic and a place in it.
 *
 * <pre>
 *   0 topic   8 sequence   16 index (int)   20 mode (int)
 * </pre>
 *
 * In SUBSCRIBE the place is that of the last item that the client has seen, or 0 and 0; in SUBSCRIBED it is that of the
 * last item there is. The mode is in SUBSCRIBED alone.
 */
public final class Subscription {
    /** Bytes of the payload. */
    public static final int BYTES = 24;

    /** The items behind the place that the client has named were sent; it has missed none. */
    public static final int RESUMED = 0;

    /** What is there was sent as a snapshot: items with {@link Message#SNAPSHOT}. */
    public static final int SNAPSHOT = 1;

    private Subscription() {}

    /** Returns whether a client of that revision knows that a service may subscribe it anew by itself. */
    public static boolean mayBeRenewed(int revision) {
        return revision > 0;
    }

    /** Writes the payload of the message whose header is at {@code offset}. */
    public static void encodePayload(
            MemorySegment memory, long offset, long topic, long sequence, int index, int mode) {
        Message.payloadLong(memory, offset, 0, topic);
        Message.payloadLong(memory, offset, 8, sequence);
        Message.payloadInt(memory, offset, 16, index);
        Message.payloadInt(memory, offset, 20, mode);
    }

    /** Returns the topic. */
    public static long topic(MemorySegment memory, long offset) {
        return Message.payloadLong(memory, offset, 0);
    }

    /** Returns the sequence of the place. */
    public static long sequence(MemorySegment memory, long offset) {
        return Message.payloadLong(memory, offset, 8);
    }

    /** Returns the index of the place. */
    public static int index(MemorySegment memory, long offset) {
        return Message.payloadInt(memory, offset, 16);
    }

    /** Returns the mode. */
    public static int mode(MemorySegment memory, long offset) {
        return Message.payloadInt(memory, offset, 20);
    }
}
