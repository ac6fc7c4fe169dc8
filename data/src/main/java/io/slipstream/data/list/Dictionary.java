package io.slipstream.data.list;

import io.slipstream.data.wire.Utf8;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The distinct texts of a field, on the heap. A code counts from 1; 0 is no text. One thread adds, others may look up
 * texts, and decode what they find in rows.
 */
final class Dictionary {
    private final Map<String, Integer> codes = new ConcurrentHashMap<>();
    private volatile String[] texts = new String[16];
    private int size = 1;

    int code(String text) {
        Integer code = codes.get(text);
        return code == null ? 0 : code;
    }

    int add(String text) {
        int code = code(text);
        if (code != 0) {
            return code;
        }
        String[] all = texts;
        if (size == all.length) {
            all = Arrays.copyOf(all, size << 1);
        }
        all[size] = text;
        texts = all;
        codes.put(text, size);
        return size++;
    }

    /**
     * Returns the code of a text, which is added if it is new.
     *
     * @param field is named if the text has half a surrogate pair
     */
    int addEncodable(String text, String owner, Column field) {
        int code = code(text);
        if (code != 0) {
            return code;
        }
        int half = Utf8.halfPair(text);
        if (half >= 0) {
            throw new IllegalArgumentException(owner + "." + field.name() + ": has half a surrogate pair at character "
                    + half + ", which UTF-8 cannot write");
        }
        return add(text);
    }

    @Nullable
    String text(int code) {
        return code == 0 ? null : texts[code];
    }

    /** Returns the number of texts. */
    int count() {
        return size - 1;
    }
}
