package io.slipstream.journal.segment;

import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.format.Mark;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/**
 * Writes a segment with writes: collects a batch, writes it at its place, forces the file.
 *
 * <p>In whole blocks, a batch ends with zeros up to the next block, so that a block that was forced is never written
 * again. Otherwise the next batch begins right behind the last one.
 */
final class BufferedWriter implements SegmentWriter {
    private final StorageFile file;
    private final SegmentHeader header;
    private final Batch batch;
    private final boolean wholeBlocks;
    private final CRC32C run = new CRC32C();
    private long written;
    private long end;
    private boolean unforced;

    private BufferedWriter(StorageFile file, SegmentHeader header, Batch batch, boolean wholeBlocks, long written) {
        this.file = file;
        this.header = header;
        this.batch = batch;
        this.wholeBlocks = wholeBlocks;
        this.written = written;
        batch.seal(header);
    }

    static BufferedWriter begin(StorageFile file, SegmentHeader header, Batch batch, boolean wholeBlocks) {
        batch.add(header);
        return new BufferedWriter(file, header, batch, wholeBlocks, 0);
    }

    static BufferedWriter resume(StorageFile file, SegmentHeader header, Batch batch, boolean wholeBlocks, long end) {
        return new BufferedWriter(file, header, batch, wholeBlocks, header.nextBlock(end));
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
    public boolean hasRoomFor(long bytes) {
        return written + batch.size() + bytes <= header.bytes() - JournalConfig.BLOCK_BYTES;
    }

    @Override
    public boolean takesAtOnce(int bytes) {
        return batch.hasRoomFor(bytes) && hasRoomFor(bytes);
    }

    @Override
    public int lastChecksum() {
        return batch.lastChecksum();
    }

    @Override
    public boolean isEmpty() {
        return batch.size() == 0;
    }

    @Override
    public boolean isUnforced() {
        return unforced;
    }

    @Override
    public void addMark(byte flags, int epoch, long nextSequence, long durableSequence, long timeMillis)
            throws IOException {
        makeRoom(Mark.BYTES);
        batch.addMark(flags, epoch, nextSequence, durableSequence, timeMillis);
        end = written + batch.size();
    }

    @Override
    public long add(MemorySegment source, long offset, int bytes, int epoch, long sequence) throws IOException {
        makeRoom(bytes);
        long next = batch.add(source, offset, bytes, epoch, sequence);
        end = written + batch.size();
        return next;
    }

    @Override
    public void write() throws IOException {
        if (wholeBlocks) {
            batch.padToBlock(header.blockBytes());
        }
        writeOut(batch.size());
    }

    @Override
    public long written() {
        return written;
    }

    @Override
    public int takeRunChecksum(long offset) {
        if (offset != written) {
            throw new IllegalStateException("a run ends where a batch ends, at " + written + ", not at " + offset);
        }
        int checksum = (int) run.getValue();
        run.reset();
        return checksum;
    }

    @Override
    public void force() throws IOException {
        file.force();
        unforced = false;
    }

    @Override
    public void forceAndClose() throws IOException {
        if (unforced) {
            force();
        }
        close();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private void makeRoom(int bytes) throws IOException {
        if (!batch.hasRoomFor(bytes)) {
            writeOut(wholeBlocks ? batch.size() & -header.blockBytes() : batch.size());
            if (!batch.hasRoomFor(bytes)) {
                batch.growFor(bytes);
            }
        }
    }

    private void writeOut(int bytes) throws IOException {
        if (bytes > 0) {
            unforced = true;
            run.update(batch.content(bytes).position(written == 0 ? SegmentHeader.BYTES : 0));
            file.writeFully(batch.content(bytes), written);
            written += bytes;
            batch.drop(bytes);
        }
    }
}
