package io.slipstream.data.index;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** A text as UTF-8 in a buffer that is used again. Only what is not ASCII makes garbage. For one thread. */
final class KeyText {
    private byte[] bytes = new byte[64];
    private MemorySegment memory = MemorySegment.ofArray(bytes);

    MemorySegment memory() {
        return memory;
    }

    /** Takes bytes and returns how many they are: a segment over an array of its own would be garbage. */
    int set(byte[] key) {
        reserve(key.length);
        System.arraycopy(key, 0, bytes, 0, key.length);
        return key.length;
    }

    /** Takes a text and returns its length in bytes. */
    int set(String text) {
        int length = text.length();
        reserve(length);
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                return setEncoded(text);
            }
            bytes[i] = (byte) c;
        }
        return length;
    }

    private int setEncoded(String text) {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            int length = encoded.remaining();
            reserve(length);
            encoded.get(bytes, 0, length);
            return length;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a key with half of a surrogate pair, which UTF-8 cannot say", e);
        }
    }

    private void reserve(int length) {
        if (length > bytes.length) {
            bytes = new byte[Math.max(length, bytes.length << 1)];
            memory = MemorySegment.ofArray(bytes);
        }
    }
}
