package io.slipstream.data.index;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Little-endian access to segments, with the order of each access in its name. */
final class Memory {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong UNALIGNED =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt UNALIGNED_INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle ALIGNED = LONG.varHandle().withInvokeExactBehavior();

    private Memory() {}

    static long getLong(MemorySegment memory, long offset) {
        return memory.get(UNALIGNED, offset);
    }

    static void putLong(MemorySegment memory, long offset, long value) {
        memory.set(UNALIGNED, offset, value);
    }

    static int getInt(MemorySegment memory, long offset) {
        return memory.get(UNALIGNED_INT, offset);
    }

    static void putInt(MemorySegment memory, long offset, int value) {
        memory.set(UNALIGNED_INT, offset, value);
    }

    static byte getByte(MemorySegment memory, long offset) {
        return memory.get(ValueLayout.JAVA_BYTE, offset);
    }

    static long getLongOpaque(MemorySegment memory, long offset) {
        return (long) ALIGNED.getOpaque(memory, offset);
    }

    static long getLongAcquire(MemorySegment memory, long offset) {
        return (long) ALIGNED.getAcquire(memory, offset);
    }

    static void putLongOpaque(MemorySegment memory, long offset, long value) {
        ALIGNED.setOpaque(memory, offset, value);
    }

    static void putLongRelease(MemorySegment memory, long offset, long value) {
        ALIGNED.setRelease(memory, offset, value);
    }
}
