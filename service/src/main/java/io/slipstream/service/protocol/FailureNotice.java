package io.slipstream.service.protocol;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Payload of {@link MessageType#FAILED} and {@link MessageType#ERROR}: a code and a text in UTF-8.
 *
 * <pre>
 *   0 code (int)   4 bytes of text (int)   8 text ...
 * </pre>
 */
public final class FailureNotice {
    /** Bytes before the text. */
    public static final int HEADER_BYTES = 8;

    /** The longest text in bytes; a longer one is cut. */
    public static final int MAX_TEXT_BYTES = 1024;

    private FailureNotice() {}

    /** Returns the text as it goes on the wire. */
    public static byte[] text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= MAX_TEXT_BYTES) {
            return bytes;
        }
        int end = MAX_TEXT_BYTES;
        while ((bytes[end] & 0xC0) == 0x80) {
            end--;
        }
        return java.util.Arrays.copyOf(bytes, end);
    }

    /** Writes the payload. */
    public static void encodePayload(MemorySegment memory, long offset, FailureCode code, byte[] text) {
        Message.payloadInt(memory, offset, 0, code.number());
        Message.payloadInt(memory, offset, 4, text.length);
        MemorySegment.copy(
                text, 0, memory, ValueLayout.JAVA_BYTE, offset + Message.HEADER_BYTES + HEADER_BYTES, text.length);
    }

    /** Returns the code. */
    public static FailureCode code(MemorySegment memory, long offset) {
        return FailureCode.of(Message.payloadInt(memory, offset, 0));
    }

    /** Returns the text. */
    public static String text(MemorySegment memory, long offset) {
        int length = Math.clamp(Message.payloadInt(memory, offset, 4), 0, MAX_TEXT_BYTES);
        byte[] text = new byte[length];
        MemorySegment.copy(
                memory, ValueLayout.JAVA_BYTE, offset + Message.HEADER_BYTES + HEADER_BYTES, text, 0, length);
        return new String(text, StandardCharsets.UTF_8);
    }
}
