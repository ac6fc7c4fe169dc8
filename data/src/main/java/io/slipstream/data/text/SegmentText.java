package io.slipstream.data.text;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Numbers as text in memory segments, by the same rules as in arrays. It belongs to one thread at a time, because a
 * text goes through a few bytes of its own.
 *
 * <p>Each {@code write} gives the offset behind the last byte written, and throws {@link IndexOutOfBoundsException}
 * where there is no room. Each {@code parse} takes all that stands from {@code begin} to {@code end}; the position in
 * its {@link TextException} is an offset in the segment.
 */
public final class SegmentText {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int USUAL_LENGTH = 64;

    private byte[] own = new byte[USUAL_LENGTH];

    /** Creates one for a thread. */
    public SegmentText() {}

    /** Writes as {@link LongText#write}. */
    public long writeLong(long value, MemorySegment to, long at) {
        return copyOut(LongText.write(value, own, 0), to, at);
    }

    /** Writes as {@link DecimalText#write}. */
    public long writeDecimal(long mantissa, int scale, MemorySegment to, long at) {
        return copyOut(DecimalText.write(mantissa, scale, own, 0), to, at);
    }

    /** Writes as {@link DoubleText#write}. */
    public long writeDouble(double value, MemorySegment to, long at) {
        return copyOut(DoubleText.write(value, own, 0), to, at);
    }

    /** Writes as {@link BooleanText#write}. */
    public long writeBoolean(boolean value, MemorySegment to, long at) {
        return copyOut(BooleanText.write(value, own, 0), to, at);
    }

    /** Writes as {@link InstantText#write(long, byte[], int)}. */
    public long writeInstant(long epochNanos, MemorySegment to, long at) {
        return copyOut(InstantText.write(epochNanos, own, 0), to, at);
    }

    /** Writes as {@link HexText#write(long, byte[], int)}. */
    public long writeHex(long value, MemorySegment to, long at) {
        return copyOut(HexText.write(value, own, 0), to, at);
    }

    /** Parses as {@link LongText#parse}. */
    public long parseLong(MemorySegment from, long begin, long end) {
        int length = copyIn(from, begin, end);
        try {
            return LongText.parse(own, 0, length);
        } catch (TextException e) {
            throw e.shiftedBy(begin);
        }
    }

    /** Parses as {@link DecimalText#parse}. */
    public long parseDecimal(MemorySegment from, long begin, long end, int scale) {
        int length = copyIn(from, begin, end);
        try {
            return DecimalText.parse(own, 0, length, scale);
        } catch (TextException e) {
            throw e.shiftedBy(begin);
        }
    }

    /** Parses as {@link DoubleText#parse}. */
    public double parseDouble(MemorySegment from, long begin, long end) {
        int length = copyIn(from, begin, end);
        try {
            return DoubleText.parse(own, 0, length);
        } catch (TextException e) {
            throw e.shiftedBy(begin);
        }
    }

    /** Parses as {@link BooleanText#parse}. */
    public boolean parseBoolean(MemorySegment from, long begin, long end) {
        int length = copyIn(from, begin, end);
        try {
            return BooleanText.parse(own, 0, length);
        } catch (TextException e) {
            throw e.shiftedBy(begin);
        }
    }

    /** Parses as {@link InstantText#parse}. */
    public long parseInstant(MemorySegment from, long begin, long end) {
        int length = copyIn(from, begin, end);
        try {
            return InstantText.parse(own, 0, length);
        } catch (TextException e) {
            throw e.shiftedBy(begin);
        }
    }

    /** Parses as {@link HexText#parse(byte[], int, int)}. */
    public long parseHex(MemorySegment from, long begin, long end) {
        int length = copyIn(from, begin, end);
        try {
            return HexText.parse(own, 0, length);
        } catch (TextException e) {
            throw e.shiftedBy(begin);
        }
    }

    /** Word by word: a call of a bulk copy costs more than the few words of a number. */
    private int copyIn(MemorySegment from, long begin, long end) {
        long length = end - begin;
        if (begin < 0 || length < 0 || end > from.byteSize()) {
            throw new IndexOutOfBoundsException(
                    "the text from " + begin + " to " + end + " is not in a segment of " + from.byteSize() + " bytes");
        }
        if (length > own.length) {
            own = new byte[Math.toIntExact(Math.max(length, 2L * own.length))];
        }
        if (length > USUAL_LENGTH || begin + (length + 7 & -8) > from.byteSize()) {
            MemorySegment.copy(from, ValueLayout.JAVA_BYTE, begin, own, 0, (int) length);
        } else {
            for (int i = 0; i < length; i += 8) {
                Digits.LONG.set(own, i, from.get(LONG, begin + i));
            }
        }
        return (int) length;
    }

    private long copyOut(int length, MemorySegment to, long at) {
        int whole = length & -8;
        for (int i = 0; i < whole; i += 8) {
            to.set(LONG, at + i, (long) Digits.LONG.get(own, i));
        }
        if (whole < length && whole > 0) {
            to.set(LONG, at + length - 8, (long) Digits.LONG.get(own, length - 8));
        } else {
            for (int i = whole; i < length; i++) {
                to.set(ValueLayout.JAVA_BYTE, at + i, own[i]);
            }
        }
        return at + length;
    }
}
