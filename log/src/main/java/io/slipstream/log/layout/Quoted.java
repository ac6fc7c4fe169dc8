package io.slipstream.log.layout;

import io.slipstream.data.text.TextBuffer;

/** Text between quotes, as JSON has it. */
final class Quoted {
    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

    private Quoted() {}

    static void append(byte[] bytes, int begin, int end, TextBuffer text) {
        text.append((byte) '"');
        int from = begin;
        for (int i = begin; i < end; i++) {
            byte b = bytes[i];
            if (b >= ' ' && b != '"' && b != '\\' || b < 0) {
                continue;
            }
            text.append(bytes, from, i);
            from = i + 1;
            text.append((byte) '\\');
            switch (b) {
                case '"', '\\' -> text.append(b);
                case '\n' -> text.append((byte) 'n');
                case '\r' -> text.append((byte) 'r');
                case '\t' -> text.append((byte) 't');
                default ->
                    text.append((byte) 'u')
                            .append((byte) '0')
                            .append((byte) '0')
                            .append(HEX[b >> 4])
                            .append(HEX[b & 15]);
            }
        }
        text.append(bytes, from, end).append((byte) '"');
    }

    /** Whether a value of logfmt needs quotes. */
    static boolean isNeeded(byte[] bytes, int begin, int end) {
        for (int i = begin; i < end; i++) {
            byte b = bytes[i];
            if (b >= 0 && b <= ' ' || b == '"' || b == '=' || b == '\\') {
                return true;
            }
        }
        return begin == end;
    }
}
