package io.slipstream.journal.format;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.record.JournalRecord;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Computes the checksum of frames: CRC-32C from the type to the aligned end, mixed with the length and with the seed of
 * the file that the frame is in, so that a frame of another journal or file is none here. For one thread.
 *
 * <p>The padding is part of it and zero, so that a flipped bit there is found as well.
 */
public final class FrameSeal {
    private static final int LENGTH_MIX = 0x9E3779B9;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LENGTH =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle().withInvokeExactBehavior();

    private final CRC32C crc = new CRC32C();
    private int seed;
    private int lastChecksum;

    /** Creates a seal for the files whose headers give {@code seed}. */
    public FrameSeal(int seed) {
        this.seed = seed;
    }

    /** Goes over to a file with another seed. */
    public void seed(int newSeed) {
        seed = newSeed;
    }

    /** Returns the checksum that was computed last. */
    public int lastChecksum() {
        return lastChecksum;
    }

    /**
     * Seals copies of frames that lie side by side, and tells the originals: writes epoch, ascending sequences and
     * checksums, and clears the padding. The lengths are taken from the originals and left as they are in the copies.
     *
     * @param originals where the frames were copied from, {@code bytes} from {@code offset} on
     * @param copies    where they are, from {@code position} on
     * @param buffer    the same memory as {@code copies}
     * @return the sequence behind the last one
     */
    public long seal(
            MemorySegment originals,
            long offset,
            int bytes,
            MemorySegment copies,
            ByteBuffer buffer,
            int position,
            int epoch,
            long firstSequence) {
        long sequence = firstSequence;
        for (int done = 0; done < bytes; ) {
            long original = offset + done;
            int copy = position + done;
            int length = Frame.length(originals, original);
            stamp(copies, copy, epoch, sequence);
            clearPadding(copies, copy, length);
            int checksum = checksum(buffer, copy, length);
            Frame.tag(copies, copy, checksum);
            stamp(originals, original, epoch, sequence);
            Frame.tag(originals, original, checksum);
            done += Frame.align(length);
            sequence++;
        }
        return sequence;
    }

    /** Returns the checksum of the frame of {@code length} bytes at {@code offset}; moves the buffer's position. */
    public int checksum(ByteBuffer buffer, int offset, int length) {
        begin();
        update(buffer, offset + JournalRecord.TYPE_OFFSET, Frame.align(length) - JournalRecord.TYPE_OFFSET);
        return end(length);
    }

    /** Begins the checksum of a frame that is not in memory as a whole. */
    public void begin() {
        crc.reset();
    }

    /** Takes the next bytes of the frame, which begin with its type; moves the buffer's position. */
    public void update(ByteBuffer buffer, int offset, int bytes) {
        buffer.limit(offset + bytes).position(offset);
        crc.update(buffer);
    }

    /** Returns the checksum of the frame of {@code length} bytes whose bytes were taken up to its aligned end. */
    public int end(int length) {
        lastChecksum = (int) crc.getValue() ^ length * LENGTH_MIX ^ seed;
        return lastChecksum;
    }

    /**
     * Writes epoch and sequence into the header of the frame at {@code offset}; in the words in which the checksum
     * reads them, because a processor cannot forward parts of a word that was stored just before.
     */
    public static void stamp(MemorySegment memory, long offset, int epoch, long sequence) {
        long word = memory.get(LONG, offset + JournalRecord.TYPE_OFFSET);
        memory.set(LONG, offset + JournalRecord.TYPE_OFFSET, word & 0xFFFF_FFFFL | (long) epoch << Integer.SIZE);
        memory.set(LONG, offset + JournalRecord.SEQUENCE_OFFSET, sequence);
    }

    /** Writes the length of a frame after everything that was written before. */
    public static void publishLength(MemorySegment memory, long offset, int length) {
        LENGTH.setRelease(memory, offset + Frame.LENGTH_OFFSET, length);
    }

    /** Clears the bytes between the end of a frame and the next multiple of the alignment. */
    public static void clearPadding(MemorySegment memory, long offset, int length) {
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
