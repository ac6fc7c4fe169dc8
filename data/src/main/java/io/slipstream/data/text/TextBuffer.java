package io.slipstream.data.text;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Bytes of text that grow at the end, and are cleared and filled again without garbage. It belongs to one thread at a
 * time. Text is UTF-8; half of a surrogate pair becomes a question mark.
 */
public final class TextBuffer {
    private static final int CHUNK = 128;
    private static final int MOST_AT_FIRST = 1 << 30;

    private final char[] chunk = new char[CHUNK];
    private byte[] bytes;
    private ByteBuffer view;
    private int length;

    /** Creates an empty one with room for {@code capacity} bytes, up to 2^30; it grows when it must. */
    public TextBuffer(int capacity) {
        if (capacity < 0 || capacity > MOST_AT_FIRST) {
            throw new IllegalArgumentException("a text begins with room for 0 to 2^30 bytes, not " + capacity);
        }
        bytes = new byte[capacity];
        view = ByteBuffer.wrap(bytes);
    }

    /** Returns the array that the text stands in, from its beginning; a later append may take another one. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns how many bytes the text has. */
    public int length() {
        return length;
    }

    /** Takes everything from {@code newLength} on away again. */
    public void truncate(int newLength) {
        if (newLength < 0 || newLength > length) {
            throw new IndexOutOfBoundsException(
                    "the text has " + length + " bytes, so it cannot be cut to " + newLength);
        }
        length = newLength;
    }

    /** Takes all away; the memory stays. */
    public void clear() {
        length = 0;
    }

    /** Appends as {@link LongText#write}. */
    public TextBuffer append(long value) {
        length = LongText.write(value, withRoom(LongText.MAX_LENGTH), length);
        return this;
    }

    /** Appends as {@link DoubleText#write}. */
    public TextBuffer append(double value) {
        length = DoubleText.write(value, withRoom(DoubleText.MAX_LENGTH), length);
        return this;
    }

    /** Appends as {@link BooleanText#write}. */
    public TextBuffer append(boolean value) {
        length = BooleanText.write(value, withRoom(BooleanText.MAX_LENGTH), length);
        return this;
    }

    /** Appends as {@link DecimalText#write}. */
    public TextBuffer appendDecimal(long mantissa, int scale) {
        length = DecimalText.write(mantissa, scale, withRoom(DecimalText.MAX_LENGTH), length);
        return this;
    }

    /** Appends as {@link InstantText#write(long, byte[], int)}. */
    public TextBuffer appendInstant(long epochNanos) {
        length = InstantText.write(epochNanos, withRoom(InstantText.MAX_LENGTH), length);
        return this;
    }

    /** Appends as {@link HexText#write(long, byte[], int)}. */
    public TextBuffer appendHex(long value) {
        length = HexText.write(value, withRoom(HexText.LONG_LENGTH), length);
        return this;
    }

    /** Appends the single byte {@code b}. */
    public TextBuffer append(byte b) {
        withRoom(1)[length++] = b;
        return this;
    }

    /** Appends a character. */
    public TextBuffer append(char c) {
        byte[] to = withRoom(3);
        length = put(c, to, length);
        return this;
    }

    /** Appends {@code text} as UTF-8. */
    public TextBuffer append(CharSequence text) {
        return append(text, 0, text.length());
    }

    /** Appends the characters of {@code text} from {@code begin} to {@code end} as UTF-8. */
    public TextBuffer append(CharSequence text, int begin, int end) {
        byte[] to = withRoom(3L * (end - begin));
        char[] from = chunk;
        int at = length;
        for (int i = begin; i < end; ) {
            int count = Math.min(CHUNK, end - i);
            if (i + count < end && Character.isHighSurrogate(text.charAt(i + count - 1))) {
                count--;
            }
            text.getChars(i, i + count, from, 0);
            int ascii = putAscii(from, count, to, at);
            at = ascii == count ? at + count : putUtf8(from, ascii, count, to, at + ascii);
            i += count;
        }
        length = at;
        return this;
    }

    private static int putAscii(char[] from, int count, byte[] to, int at) {
        for (int i = 0; i < count; i++) {
            char c = from[i];
            if (c >= 0x80) {
                return i;
            }
            to[at + i] = (byte) c;
        }
        return count;
    }

    private static int putUtf8(char[] from, int begin, int end, byte[] to, int at) {
        int position = at;
        for (int i = begin; i < end; i++) {
            char c = from[i];
            if (Character.isHighSurrogate(c) && i + 1 < end && Character.isLowSurrogate(from[i + 1])) {
                int point = Character.toCodePoint(c, from[++i]);
                to[position] = (byte) (0xF0 | point >> 18);
                to[position + 1] = (byte) (0x80 | point >> 12 & 0x3F);
                to[position + 2] = (byte) (0x80 | point >> 6 & 0x3F);
                to[position + 3] = (byte) (0x80 | point & 0x3F);
                position += 4;
            } else {
                position = put(c, to, position);
            }
        }
        return position;
    }

    private static int put(char c, byte[] to, int at) {
        if (c < 0x80) {
            to[at] = (byte) c;
            return at + 1;
        }
        if (c < 0x800) {
            to[at] = (byte) (0xC0 | c >> 6);
            to[at + 1] = (byte) (0x80 | c & 0x3F);
            return at + 2;
        }
        if (Character.isSurrogate(c)) {
            to[at] = '?';
            return at + 1;
        }
        to[at] = (byte) (0xE0 | c >> 12);
        to[at + 1] = (byte) (0x80 | c >> 6 & 0x3F);
        to[at + 2] = (byte) (0x80 | c & 0x3F);
        return at + 3;
    }

    /** Appends bytes of text. */
    public TextBuffer append(byte[] from, int begin, int end) {
        System.arraycopy(from, begin, withRoom(end - begin), length, end - begin);
        length += end - begin;
        return this;
    }

    /** Appends bytes of text. */
    public TextBuffer append(MemorySegment from, long begin, long end) {
        byte[] to = withRoom(end - begin);
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, begin, to, length, (int) (end - begin));
        length += (int) (end - begin);
        return this;
    }

    /** Writes the text to a stream. */
    public void writeTo(OutputStream out) throws IOException {
        out.write(bytes, 0, length);
    }

    /** Writes the whole text to a channel, however often that takes. */
    public void writeTo(WritableByteChannel channel) throws IOException {
        view.limit(length).position(0);
        while (view.hasRemaining()) {
            channel.write(view);
        }
    }

    /** Copies the text to a segment and returns the offset behind it. */
    public long copyTo(MemorySegment to, long at) {
        MemorySegment.copy(bytes, 0, to, ValueLayout.JAVA_BYTE, at, length);
        return at + length;
    }

    private byte[] withRoom(long count) {
        if (bytes.length - length < count) {
            grow(count);
        }
        return bytes;
    }

    private void grow(long count) {
        long wanted = Math.max(length + count, 2L * bytes.length);
        if (length + count > Integer.MAX_VALUE - 8) {
            throw new OutOfMemoryError("a text of more than 2^31 bytes; write it out in parts and clear it");
        }
        bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, Integer.MAX_VALUE - 8));
        view = ByteBuffer.wrap(bytes);
    }

    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
