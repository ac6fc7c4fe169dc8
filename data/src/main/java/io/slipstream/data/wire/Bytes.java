package io.slipstream.data.wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Little-endian numbers in memory, at any address. */
public final class Bytes {
    static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfChar CHAR = ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Bytes() {}

    /** Writes zeros. */
    public static void clear(MemorySegment m, long at, int bytes) {
        int i = 0;
        for (; i <= bytes - Long.BYTES; i += Long.BYTES) {
            m.set(LONG, at + i, 0);
        }
        if (bytes >= Long.BYTES) {
            // The last word overlaps the one before.
            m.set(LONG, at + bytes - Long.BYTES, 0);
            return;
        }
        for (; i < bytes; i++) {
            m.set(BYTE, at + i, (byte) 0);
        }
    }

    /** Writes 1 or 0. */
    public static void putBoolean(MemorySegment m, long at, boolean value) {
        m.set(BYTE, at, value ? (byte) 1 : 0);
    }

    /** Writes a byte. */
    public static void putByte(MemorySegment m, long at, byte value) {
        m.set(BYTE, at, value);
    }

    /** Writes two bytes. */
    public static void putShort(MemorySegment m, long at, short value) {
        m.set(SHORT, at, value);
    }

    /** Writes two bytes. */
    public static void putChar(MemorySegment m, long at, char value) {
        m.set(CHAR, at, value);
    }

    /** Writes four bytes. */
    public static void putInt(MemorySegment m, long at, int value) {
        m.set(INT, at, value);
    }

    /** Writes eight bytes. */
    public static void putLong(MemorySegment m, long at, long value) {
        m.set(LONG, at, value);
    }

    /** Writes four bytes. */
    public static void putFloat(MemorySegment m, long at, float value) {
        m.set(FLOAT, at, value);
    }

    /** Writes eight bytes. */
    public static void putDouble(MemorySegment m, long at, double value) {
        m.set(DOUBLE, at, value);
    }

    /** Returns whether the byte is not 0. */
    public static boolean getBoolean(MemorySegment m, long at) {
        return m.get(BYTE, at) != 0;
    }

    /** Returns a byte. */
    public static byte getByte(MemorySegment m, long at) {
        return m.get(BYTE, at);
    }

    /** Returns two bytes. */
    public static short getShort(MemorySegment m, long at) {
        return m.get(SHORT, at);
    }

    /** Returns two bytes. */
    public static char getChar(MemorySegment m, long at) {
        return m.get(CHAR, at);
    }

    /** Returns four bytes. */
    public static int getInt(MemorySegment m, long at) {
        return m.get(INT, at);
    }

    /** Returns eight bytes. */
    public static long getLong(MemorySegment m, long at) {
        return m.get(LONG, at);
    }

    /** Returns four bytes. */
    public static float getFloat(MemorySegment m, long at) {
        return m.get(FLOAT, at);
    }

    /** Returns eight bytes. */
    public static double getDouble(MemorySegment m, long at) {
        return m.get(DOUBLE, at);
    }
}
