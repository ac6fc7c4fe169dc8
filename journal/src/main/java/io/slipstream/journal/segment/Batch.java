package io.slipstream.journal.segment;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.format.FrameSeal;
import io.slipstream.journal.format.Mark;
import io.slipstream.journal.format.SegmentHeader;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The frames that wait to be written, sealed, in memory that is aligned as files are. For one thread.
 *
 * <p>Only the bytes from 0 to {@link #size} count; behind them there may be anything.
 */
public final class Batch {
    private static final int BLOCK = JournalConfig.BLOCK_BYTES;

    private static final MemorySegment ZEROS = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(BLOCK));

    private final FrameSeal seal = new FrameSeal(0);
    private ByteBuffer buffer;
    private MemorySegment memory;
    private int size;

    /** Creates a batch for {@code capacity} bytes. */
    public Batch(int capacity) {
        buffer = allocate(capacity);
        memory = MemorySegment.ofBuffer(buffer);
    }

    int size() {
        return size;
    }

    boolean hasRoomFor(int bytes) {
        return bytes <= buffer.capacity() - size;
    }

    /** Seals for the file with this header from now on. */
    void seal(SegmentHeader header) {
        seal.seed(header.seed());
    }

    /** Returns the checksum of the frame that was added last. */
    public int lastChecksum() {
        return seal.lastChecksum();
    }

    /** Adds a header of a segment. */
    void add(SegmentHeader header) {
        header.write(buffer.clear().position(size));
        size += SegmentHeader.BYTES;
    }

    /** Adds a mark. */
    void addMark(byte flags, int epoch, long nextSequence, long durableSequence, long timeMillis) {
        Mark.write(memory, size, flags, durableSequence, timeMillis);
        Frame.length(memory, size, Mark.LENGTH);
        FrameSeal.stamp(memory, size, epoch, nextSequence);
        Frame.tag(memory, size, seal.checksum(buffer, size, Mark.LENGTH));
        size += Mark.BYTES;
    }

    /** Copies frames that lie side by side, seals the copies, and tells the source of the seals. */
    long add(MemorySegment source, long offset, int bytes, int epoch, long sequence) {
        MemorySegment.copy(source, offset, memory, size, bytes);
        long next = seal.seal(source, offset, bytes, memory, buffer, size, epoch, sequence);
        size += bytes;
        return next;
    }

    /** Fills the last block with zeros. */
    void padToBlock(int blockBytes) {
        int padding = -size & (blockBytes - 1);
        MemorySegment.copy(ZEROS, 0, memory, size, padding);
        size += padding;
    }

    /** Returns the first {@code bytes} for writing. */
    ByteBuffer content(int bytes) {
        return buffer.clear().limit(bytes);
    }

    /** Drops the first {@code bytes}, which were written. */
    void drop(int bytes) {
        if (bytes < size) {
            MemorySegment.copy(memory, bytes, memory, 0, size - bytes);
        }
        size -= bytes;
    }

    /** Makes room for a frame that is larger than the whole buffer. */
    void growFor(int bytes) {
        ByteBuffer larger = allocate(Math.addExact(bytes, 2 * BLOCK) & -BLOCK);
        MemorySegment largerMemory = MemorySegment.ofBuffer(larger);
        MemorySegment.copy(memory, 0, largerMemory, 0, size);
        buffer = larger;
        memory = largerMemory;
    }

    private static ByteBuffer allocate(int capacity) {
        return ByteBuffer.allocateDirect(Math.max(capacity, 2 * BLOCK) + BLOCK)
                .alignedSlice(BLOCK)
                .order(ByteOrder.LITTLE_ENDIAN);
    }
}
