package io.slipstream.data.text;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A text that is not what it should be; says where, what was expected and what is there. */
public final class TextException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;
    private static final int SHOWN_BYTES = 40;

    private final long position;
    private final String expected;
    private final String found;

    /**
     * Creates it.
     *
     * @param position index of the first byte that is wrong, counted as the caller counts: in the array, segment or
     * input
     * @param expected what should stand there
     * @param found    what stands there
     */
    public TextException(long position, String expected, String found) {
        super("expected " + expected + " at position " + position + ", found " + found);
        this.position = position;
        this.expected = expected;
        this.found = found;
    }

    /** Says that at {@code at} something else was expected in the text from {@code begin} to {@code end}. */
    static TextException at(byte[] bytes, int begin, int end, int at, String expected) {
        String found = at >= end ? "the end" : character(bytes[at]);
        int shown = Math.min(end, begin + SHOWN_BYTES);
        String text = new String(bytes, begin, Math.max(0, shown - begin), StandardCharsets.UTF_8);
        return new TextException(at, expected, found + " in '" + text + (shown < end ? "..." : "") + "'");
    }

    private static String character(byte b) {
        return b > ' ' && b < 0x7f ? "'" + (char) b + "'" : String.format(Locale.ROOT, "byte 0x%02x", b);
    }

    /** Returns the index of the first byte that is wrong, in the array, segment or input that was read. */
    public long position() {
        return position;
    }

    /** Returns what should stand there. */
    public String expected() {
        return expected;
    }

    /** The same, for a reader whose array begins at {@code offset} of its input. */
    TextException shiftedBy(long offset) {
        return new TextException(position + offset, expected, found);
    }
}
