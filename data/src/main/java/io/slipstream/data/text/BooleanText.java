package io.slipstream.data.text;

import java.util.Objects;

/** {@code true} and {@code false} as text. Stateless; any thread may call it. */
public final class BooleanText {
    /** Bytes of the longest text that is written. */
    public static final int MAX_LENGTH = 5;

    private BooleanText() {}

    /**
     * Writes {@code true} or {@code false}.
     *
     * @return the index behind the last byte written
     * @throws IndexOutOfBoundsException if there is no room
     */
    public static int write(boolean value, byte[] to, int at) {
        String text = Boolean.toString(value);
        int length = text.length();
        Objects.checkFromIndexSize(at, length, to.length);
        for (int i = 0; i < length; i++) {
            to[at + i] = (byte) text.charAt(i);
        }
        return at + length;
    }

    /**
     * Returns what stands from {@code begin} to {@code end}, which is exactly {@code true} or {@code false}.
     *
     * @throws TextException             if it is neither
     * @throws IndexOutOfBoundsException if the range is not in the array
     */
    public static boolean parse(byte[] bytes, int begin, int end) {
        Objects.checkFromToIndex(begin, end, bytes.length);
        boolean value = end > begin && bytes[begin] == 't';
        String text = Boolean.toString(value);
        int i = 0;
        while (i < text.length() && begin + i < end && bytes[begin + i] == text.charAt(i)) {
            i++;
        }
        if (i < text.length() || begin + i < end) {
            throw TextException.at(bytes, begin, end, begin + i, "true or false");
        }
        return value;
    }
}
