package io.slipstream.data.text;

import java.util.Objects;

/**
 * Splits bytes into parts that have no quotes: lines, words, the fields of a log. Stateless; any thread may call it.
 */
public final class SplitText {
    private SplitText() {}

    /**
     * Adds the parts between separators to {@code into}; there is always one more than separators.
     *
     * @throws IndexOutOfBoundsException if the range is not in the array
     */
    public static void fields(byte[] bytes, int begin, int end, byte separator, Ranges into) {
        Objects.checkFromToIndex(begin, end, bytes.length);
        long pattern = Candidates.pattern(separator);
        int from = begin;
        int at = begin;
        for (; end - at >= 8; at += 8) {
            long candidates = Candidates.of((long) Digits.LONG.get(bytes, at), pattern);
            for (; candidates != 0; candidates &= candidates - 1) {
                int i = at + (Long.numberOfTrailingZeros(candidates) >>> 3);
                if (bytes[i] == separator) {
                    into.add(from, i);
                    from = i + 1;
                }
            }
        }
        for (; at < end; at++) {
            if (bytes[at] == separator) {
                into.add(from, at);
                from = at + 1;
            }
        }
        into.add(from, end);
    }

    /**
     * Adds the lines to {@code into}, without their ends: {@code \n} or {@code \r\n}. What follows the last end is a
     * line unless it is empty.
     *
     * @throws IndexOutOfBoundsException if the range is not in the array
     */
    public static void lines(byte[] bytes, int begin, int end, Ranges into) {
        int first = into.size();
        fields(bytes, begin, end, (byte) '\n', into);
        int last = into.size() - 1;
        if (into.begin(last) == end) {
            into.removeLast();
        }
        for (int i = first; i < into.size(); i++) {
            int lineEnd = into.end(i);
            if (i < last && lineEnd > into.begin(i) && bytes[lineEnd - 1] == '\r') {
                into.set(i, into.begin(i), lineEnd - 1);
            }
        }
    }
}
