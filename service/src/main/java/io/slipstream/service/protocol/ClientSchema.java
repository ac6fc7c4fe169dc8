package io.slipstream.service.protocol;

import io.slipstream.core.frame.Frame;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Payload of {@link MessageType#SCHEMA}: the definitions of all records that a client sends and understands.
 *
 * <pre>
 *   0 fingerprint   8 the definitions as text, in UTF-8
 * </pre>
 *
 * <p>The fingerprint is that of {@link io.slipstream.data.schema.Definitions#fingerprint}. If it is that of the
 * service, the text is not looked at.
 */
public final class ClientSchema {
    /** Bytes before the text. */
    public static final int BYTES = 8;

    /** The longest text in bytes that a service compares; a client with a longer one sends nothing. */
    public static final int MAX_TEXT_BYTES = 1 << 16;

    private ClientSchema() {}

    /** Returns the whole message, padded. */
    public static byte[] encode(long fingerprint, String definitions) {
        byte[] text = definitions.getBytes(StandardCharsets.UTF_8);
        int length = BYTES + text.length;
        byte[] bytes = new byte[Frame.align(Message.HEADER_BYTES + length)];
        MemorySegment memory = MemorySegment.ofArray(bytes);
        Message.header(memory, 0, MessageType.SCHEMA, length, 0, 0);
        Message.payloadLong(memory, 0, 0, fingerprint);
        MemorySegment.copy(text, 0, memory, ValueLayout.JAVA_BYTE, Message.HEADER_BYTES + BYTES, text.length);
        return bytes;
    }

    /** Returns the fingerprint. */
    public static long fingerprint(MemorySegment memory, long offset) {
        return Message.payloadLong(memory, offset, 0);
    }

    /** Returns the definitions of a message of that length. */
    public static String definitions(MemorySegment memory, long offset, int length) {
        long text = offset + Message.HEADER_BYTES + BYTES;
        return new String(
                memory.asSlice(text, offset + length - text).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }
}
