package io.slipstream.exchange.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Reads and writes the fields of a layout: little-endian, at any alignment. */
final class Fields {
    /** Where every layout has its instrument. */
    static final int INSTRUMENT = 4;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Fields() {}

    /** Writes the first eight bytes, which all layouts share. */
    static void head(MemorySegment memory, long offset, short type, int first, int second, int instrument) {
        memory.set(SHORT, offset, type);
        putByte(memory, offset + 2, first);
        putByte(memory, offset + 3, second);
        putInt(memory, offset + INSTRUMENT, instrument);
    }

    /** Compares the length of a message with that of its layout. */
    static Rejection length(int length, int expected) {
        return length == expected ? Rejection.NONE : Rejection.MALFORMED;
    }

    static long getLong(MemorySegment memory, long offset) {
        return memory.get(LONG, offset);
    }

    static void putLong(MemorySegment memory, long offset, long value) {
        memory.set(LONG, offset, value);
    }

    static int getInt(MemorySegment memory, long offset) {
        return memory.get(INT, offset);
    }

    static void putInt(MemorySegment memory, long offset, int value) {
        memory.set(INT, offset, value);
    }

    static short getShort(MemorySegment memory, long offset) {
        return memory.get(SHORT, offset);
    }

    static void putShort(MemorySegment memory, long offset, int value) {
        memory.set(SHORT, offset, (short) value);
    }

    static int getByte(MemorySegment memory, long offset) {
        return memory.get(ValueLayout.JAVA_BYTE, offset);
    }

    static void putByte(MemorySegment memory, long offset, int value) {
        memory.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
    }
}
