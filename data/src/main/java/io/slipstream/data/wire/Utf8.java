package io.slipstream.data.wire;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Strings as UTF-8. What is written makes no garbage; what is read is exactly what the standard allows: neither
 * overlong forms nor surrogates, as {@code new String} would replace them without a word.
 */
public final class Utf8 {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long NOT_ASCII = 0x8080808080808080L;
    private static final int BULK = 64;

    private Utf8() {}

    /** Writes the characters up to the first one that is not ASCII; returns how many. */
    static int writeAscii(String text, MemorySegment m, long at) {
        int length = text.length();
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES) {
            int low = text.charAt(i) | text.charAt(i + 1) << 8 | text.charAt(i + 2) << 16 | text.charAt(i + 3) << 24;
            int high =
                    text.charAt(i + 4) | text.charAt(i + 5) << 8 | text.charAt(i + 6) << 16 | text.charAt(i + 7) << 24;
            int all = text.charAt(i)
                    | text.charAt(i + 1)
                    | text.charAt(i + 2)
                    | text.charAt(i + 3)
                    | text.charAt(i + 4)
                    | text.charAt(i + 5)
                    | text.charAt(i + 6)
                    | text.charAt(i + 7);
            if (all >= 0x80) {
                break;
            }
            Bytes.putLong(m, at + i, low & 0xffffffffL | (long) high << 32);
        }
        for (; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                break;
            }
            Bytes.putByte(m, at + i, (byte) c);
        }
        return i;
    }

    /** Writes the characters from {@code from} on at {@code at}; returns the end. */
    static int writeRest(String text, int from, MemorySegment m, long base, int at, int limit, Place place) {
        int length = text.length();
        int end = at;
        for (int i = from; i < length; i++) {
            int c = text.charAt(i);
            int bytes = c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
            if (Character.isSurrogate((char) c)) {
                c = codePoint(text, i++, place);
                bytes = 4;
            }
            if (bytes > limit - end) {
                throw place.noRoom((long) end + bytes, limit);
            }
            put(m, base + end, c, bytes);
            end += bytes;
        }
        return end;
    }

    private static void put(MemorySegment m, long at, int c, int bytes) {
        if (bytes == 1) {
            Bytes.putByte(m, at, (byte) c);
            return;
        }
        int rest = c;
        for (int i = bytes - 1; i > 0; i--) {
            Bytes.putByte(m, at + i, (byte) (0x80 | rest & 0x3f));
            rest >>>= 6;
        }
        Bytes.putByte(m, at, (byte) (0xf00 >> bytes | rest));
    }

    private static int codePoint(String text, int i, Place place) {
        char high = text.charAt(i);
        if (Character.isHighSurrogate(high) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
            return Character.toCodePoint(high, text.charAt(i + 1));
        }
        throw place.wrong("has half a surrogate pair at character " + i + ", which UTF-8 cannot write");
    }

    /** Returns the index of the first surrogate that is none of a pair, which UTF-8 cannot write; -1 if all are. */
    public static int halfPair(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                if (Character.isLowSurrogate(c)
                        || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return i;
                }
                i++;
            }
        }
        return -1;
    }

    /** Returns the bytes that a text takes. */
    static long length(String text, Place place) {
        int length = text.length();
        long bytes = length;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                bytes += c < 0x800 ? 1 : 2;
                if (Character.isSurrogate(c)) {
                    codePoint(text, i++, place);
                }
            }
        }
        return bytes;
    }

    /** Reads a text; {@code at} is the offset of its first byte from {@code base}. */
    static String read(MemorySegment m, long base, int at, int length, Place place) {
        if (length == 0) {
            return "";
        }
        byte[] bytes = new byte[length];
        boolean isAscii = length <= BULK ? copyShort(m, base + at, bytes) : copyLong(m, base + at, bytes);
        if (isAscii) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
        int wrong = firstMalformed(bytes);
        if (wrong >= 0) {
            throw place.bad(at + (long) wrong, "is not UTF-8");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static boolean copyShort(MemorySegment m, long at, byte[] to) {
        long all = 0;
        int i = 0;
        for (; i <= to.length - Long.BYTES; i += Long.BYTES) {
            long eight = Bytes.getLong(m, at + i);
            all |= eight;
            LONGS.set(to, i, eight);
        }
        for (; i < to.length; i++) {
            byte one = Bytes.getByte(m, at + i);
            all |= one;
            to[i] = one;
        }
        return (all & NOT_ASCII) == 0;
    }

    private static boolean copyLong(MemorySegment m, long at, byte[] to) {
        MemorySegment.copy(m, Bytes.BYTE, at, to, 0, to.length);
        long all = 0;
        int i = 0;
        for (; i <= to.length - Long.BYTES; i += Long.BYTES) {
            all |= (long) LONGS.get(to, i);
        }
        for (; i < to.length; i++) {
            all |= to[i];
        }
        return (all & NOT_ASCII) == 0;
    }

    /** Returns the index of the first byte that does not belong, or -1; Unicode 15, table 3-7. */
    private static int firstMalformed(byte[] bytes) {
        int i = 0;
        while (i < bytes.length) {
            int bytesOfIt = wellFormed(bytes, i);
            if (bytesOfIt == 0) {
                return i;
            }
            i += bytesOfIt;
        }
        return -1;
    }

    private static int wellFormed(byte[] bytes, int i) {
        int first = bytes[i] & 0xff;
        if (first < 0x80) {
            return 1;
        }
        int length = first >= 0xc2 && first <= 0xdf
                ? 2
                : first >= 0xe0 && first <= 0xef ? 3 : first >= 0xf0 && first <= 0xf4 ? 4 : 0;
        if (length == 0 || length > bytes.length - i) {
            return 0;
        }
        int second = bytes[i + 1] & 0xff;
        int low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
        int high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
        if (second < low || second > high) {
            return 0;
        }
        for (int j = 2; j < length; j++) {
            if ((bytes[i + j] & 0xc0) != 0x80) {
                return 0;
            }
        }
        return length;
    }
}
