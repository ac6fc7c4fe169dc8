package io.slipstream.log.layout;

import io.slipstream.data.text.TextBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The keys that a layout writes itself. A key-value or a value of the MDC that has such a name would stand for another
 * level or message to whoever takes the last of two, so it gets an underscore before it.
 */
final class OwnKeys {
    private final byte[][] keys;

    OwnKeys(String... keys) {
        this.keys = Arrays.stream(keys)
                .map(key -> key.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
    }

    /** Returns whether a key is one of them, with underscores before it or none. */
    boolean has(TextBuffer key) {
        byte[] bytes = key.bytes();
        int from = 0;
        while (from < key.length() && bytes[from] == '_') {
            from++;
        }
        for (byte[] own : keys) {
            if (Arrays.equals(own, 0, own.length, bytes, from, key.length())) {
                return true;
            }
        }
        return false;
    }
}
