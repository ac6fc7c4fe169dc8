package io.slipstream.journal.segment;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.format.FrameSeal;
import io.slipstream.journal.record.JournalRecord;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Copies frames into a mapping and seals them on the way. For one thread. */
final class FrameCopy {
    /** Up to so many bytes a frame is copied word by word. */
    private static final int SMALL_BYTES = 512;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle HEAD =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle().withInvokeExactBehavior();

    private final FrameSeal seal;
    private final MemorySegment copies;
    private final ByteBuffer buffer;
    private final ByteBuffer smallBuffer = ByteBuffer.allocateDirect(SMALL_BYTES);
    private final MemorySegment small = MemorySegment.ofBuffer(smallBuffer);

    /**
     * Creates a copier.
     *
     * @param mapping where the copies come to
     * @param buffer  the same memory
     */
    FrameCopy(FrameSeal seal, MemorySegment mapping, ByteBuffer buffer) {
        this.seal = seal;
        this.copies = mapping;
        this.buffer = buffer;
    }

    /**
     * Copies frames that lie side by side, with their seals, and tells the originals. The length of the first one is
     * stored when everything else is.
     *
     * @param originals where the frames are, {@code bytes} from {@code offset} on
     * @param position  where they come to, a multiple of 8
     * @return the sequence behind the last one
     */
    long copy(MemorySegment originals, long offset, int bytes, int position, int epoch, long firstSequence) {
        long sequence = firstSequence;
        long firstHead = 0;
        for (int done = 0; done < bytes; ) {
            long original = offset + done;
            int copy = position + done;
            int length = Frame.length(originals, original);
            int aligned = Frame.align(length);
            FrameSeal.stamp(originals, original, epoch, sequence);
            int checksum = aligned <= SMALL_BYTES
                    ? copySmall(originals, original, copy, length, epoch, sequence)
                    : copyLarge(originals, original, copy, length);
            Frame.tag(originals, original, checksum);
            long head = (long) checksum << Integer.SIZE | length;
            if (done == 0) {
                firstHead = head;
            } else {
                copies.set(LONG, copy, head);
            }
            done += aligned;
            sequence++;
        }
        HEAD.setRelease(copies, (long) position, firstHead);
        return sequence;
    }

    /**
     * Copies in words, because a processor cannot forward what was stored just before to a load that is wider. The
     * checksum is that of a second copy, in memory that nobody unmaps: of the mapping, that would have to be ruled out
     * for each frame, with two atomic operations that wait until all stores are done.
     */
    private int copySmall(MemorySegment originals, long original, int copy, int length, int epoch, long sequence) {
        MemorySegment mapping = copies;
        MemorySegment words = small;
        int aligned = Frame.align(length);
        long type =
                originals.get(LONG, original + JournalRecord.TYPE_OFFSET) & 0xFFFF_FFFFL | (long) epoch << Integer.SIZE;
        words.set(LONG, JournalRecord.TYPE_OFFSET, type);
        mapping.set(LONG, copy + (long) JournalRecord.TYPE_OFFSET, type);
        words.set(LONG, JournalRecord.SEQUENCE_OFFSET, sequence);
        mapping.set(LONG, copy + (long) JournalRecord.SEQUENCE_OFFSET, sequence);
        int at = JournalRecord.HEADER_BYTES;
        for (; at <= length - Long.BYTES; at += Long.BYTES) {
            long word = originals.get(LONG, original + at);
            words.set(LONG, at, word);
            mapping.set(LONG, (long) copy + at, word);
        }
        for (; at < aligned; at += Long.BYTES) {
            int left = Math.max(0, length - at);
            long word = left == 0 ? 0 : originals.get(LONG, original + at) & (1L << left * Byte.SIZE) - 1;
            words.set(LONG, at, word);
            mapping.set(LONG, (long) copy + at, word);
        }
        return seal.checksum(smallBuffer, 0, length);
    }

    private int copyLarge(MemorySegment originals, long original, int copy, int length) {
        MemorySegment.copy(
                originals,
                original + JournalRecord.TYPE_OFFSET,
                copies,
                copy + (long) JournalRecord.TYPE_OFFSET,
                Frame.align(length) - JournalRecord.TYPE_OFFSET);
        FrameSeal.clearPadding(copies, copy, length);
        return seal.checksum(buffer, copy, length);
    }
}
