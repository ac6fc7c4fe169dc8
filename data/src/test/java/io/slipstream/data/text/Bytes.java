package io.slipstream.data.text;

import java.nio.charset.StandardCharsets;

/** Strings as bytes, with other bytes around them that nobody may read or change. */
final class Bytes {
    static final int MARGIN = 3;

    private Bytes() {}

    static byte[] of(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] withMargin(String text) {
        return of("999" + text + "999");
    }

    static String text(byte[] bytes, int begin, int end) {
        return new String(bytes, begin, end - begin, StandardCharsets.UTF_8);
    }
}
