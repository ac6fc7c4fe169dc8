package io.slipstream.journal.segment;

import io.slipstream.core.ring.Frame;
import io.slipstream.journal.Record;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Computes the checksum of frames: CRC-32C from the type to the aligned end, mixed with the length. For one thread.
 *
 * <p>The padding is part of it and zero, so that a flipped bit there is found as well.
 */
public final class FrameSeal {
    private static final int LENGTH_MIX = 0x9E3779B9;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LENGTH =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle().withInvokeExactBehavior();
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final CRC32C crc = new CRC32C();

    /** Returns the checksum of the frame of {@code length} bytes at {@code offset}; moves the buffer's position. */
    public int checksum(ByteBuffer buffer, int offset, int length) {
        crc.reset();
        buffer.limit(offset + Frame.align(length)).position(offset + Record.TYPE_OFFSET);
        crc.update(buffer);
        return (int) crc.getValue() ^ length * LENGTH_MIX;
    }

    /** Writes epoch and sequence into the header of the frame at {@code offset}. */
    static void stamp(MemorySegment memory, long offset, int epoch, long sequence) {
        memory.set(INT, offset + Record.EPOCH_OFFSET, epoch);
        memory.set(LONG, offset + Record.SEQUENCE_OFFSET, sequence);
    }

    /** Writes the length of a frame after everything that was written before. */
    static void publishLength(MemorySegment memory, long offset, int length) {
        LENGTH.setRelease(memory, offset + Frame.LENGTH_OFFSET, length);
    }

    /** Clears the bytes between the end of a frame and the next multiple of the alignment. */
    static void clearPadding(MemorySegment memory, long offset, int length) {
        int padding = -length & (Frame.ALIGNMENT - 1);
        long end = offset + length + padding;
        if (padding >= Long.BYTES) {
            end -= Long.BYTES;
            padding -= Long.BYTES;
            memory.set(LONG, end, 0L);
        }
        if (padding > 0) {
            long word = end - Long.BYTES;
            memory.set(LONG, word, memory.get(LONG, word) & (-1L >>> (padding * Byte.SIZE)));
        }
    }
}
