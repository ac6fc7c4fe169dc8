package io.slipstream.journal.segment;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.format.FrameSeal;
import io.slipstream.journal.format.Mark;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Writes a segment through a mapping: what was added is in the page cache at once.
 *
 * <p>The process may be killed between any two stores. So the length of the first frame that is added, without which
 * there is none, is written after all the rest.
 */
final class MappedWriter implements SegmentWriter {
    private final StorageFile file;
    private final SegmentHeader header;
    private final Arena arena;
    private final MemorySegment memory;
    private final ByteBuffer buffer;
    private final FrameSeal seal;
    private final FrameCopy copy;
    private final boolean wholeBlocks;
    private final CRC32C run = new CRC32C();
    private long runStart;
    private long position;
    private long end;
    private long written;
    private long forced;

    private MappedWriter(StorageFile file, SegmentHeader header, boolean wholeBlocks, long position)
            throws IOException {
        this.file = file;
        this.header = header;
        this.seal = new FrameSeal(header.seed());
        this.wholeBlocks = wholeBlocks;
        this.position = position;
        this.written = position;
        this.forced = position;
        this.runStart = Math.max(position, SegmentHeader.BYTES);
        this.arena = Arena.ofShared();
        try {
            this.memory = file.map(header.bytes(), arena);
        } catch (IOException | RuntimeException e) {
            arena.close();
            file.close();
            throw e;
        }
        this.buffer = memory.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        this.copy = new FrameCopy(seal, memory, buffer);
    }

    static MappedWriter begin(StorageFile file, SegmentHeader header, boolean wholeBlocks) throws IOException {
        MappedWriter writer = new MappedWriter(file, header, wholeBlocks, 0);
        header.write(writer.buffer.clear());
        writer.position = SegmentHeader.BYTES;
        return writer;
    }

    static MappedWriter resume(StorageFile file, SegmentHeader header, boolean wholeBlocks, long end)
            throws IOException {
        return new MappedWriter(file, header, wholeBlocks, header.nextBlock(end));
    }

    @Override
    public SegmentHeader header() {
        return header;
    }

    @Override
    public long end() {
        return end;
    }

    @Override
    public int lastChecksum() {
        return seal.lastChecksum();
    }

    @Override
    public boolean hasRoomFor(long bytes) {
        return position + bytes <= header.bytes() - JournalConfig.BLOCK_BYTES;
    }

    @Override
    public boolean takesAtOnce(int bytes) {
        return hasRoomFor(bytes);
    }

    @Override
    public boolean isEmpty() {
        return position == written;
    }

    @Override
    public boolean isUnforced() {
        return position != forced;
    }

    @Override
    public void addMark(byte flags, int epoch, long nextSequence, long durableSequence, long timeMillis) {
        Mark.write(memory, position, flags, durableSequence, timeMillis);
        Frame.length(memory, position, 0);
        FrameSeal.stamp(memory, position, epoch, nextSequence);
        Frame.tag(memory, position, seal.checksum(buffer, (int) position, Mark.LENGTH));
        publish(Mark.LENGTH, Mark.BYTES);
    }

    /**
     * Adds all frames at once: as long as there is no length in the first one, the walk does not come to the others.
     */
    @Override
    public long add(MemorySegment source, long offset, int bytes, int epoch, long sequence) {
        long next = copy.copy(source, offset, bytes, (int) position, epoch, sequence);
        position += bytes;
        end = position;
        return next;
    }

    /** Ends the batch; there is nothing to hand over. */
    @Override
    public void write() {
        if (wholeBlocks) {
            position = header.nextBlock(position);
        }
        written = position;
    }

    @Override
    public long written() {
        return written;
    }

    @Override
    public int takeRunChecksum(long offset) {
        run.reset();
        run.update(buffer.limit((int) offset).position((int) runStart));
        runStart = offset;
        return (int) run.getValue();
    }

    @Override
    public void force() throws IOException {
        file.forceMapped(memory);
        forced = position;
    }

    /** Unmaps first: forcing need not then take the right to write each page away, from all processors. */
    @Override
    public void forceAndClose() throws IOException {
        arena.close();
        if (isUnforced()) {
            file.force();
        }
        file.close();
    }

    @Override
    public void close() throws IOException {
        if (arena.scope().isAlive()) {
            arena.close();
        }
        file.close();
    }

    private void publish(int firstLength, int bytes) {
        FrameSeal.publishLength(memory, position, firstLength);
        position += bytes;
        end = position;
    }
}
