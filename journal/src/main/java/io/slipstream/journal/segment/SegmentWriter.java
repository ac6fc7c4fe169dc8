package io.slipstream.journal.segment;

import io.slipstream.core.ring.Frame;
import io.slipstream.journal.JournalConfig;
import io.slipstream.journal.storage.StorageFile;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Writes the frames of one segment: collects a batch, writes it at its place, forces the file. For one thread.
 *
 * <p>In whole blocks, a batch ends with zeros up to the next block, so that a block that was forced is never written
 * again. Otherwise the next batch begins right behind the last one.
 */
public final class SegmentWriter implements AutoCloseable {
    private final StorageFile file;
    private final SegmentHeader header;
    private final Batch batch;
    private final boolean wholeBlocks;
    private long written;
    private long end;
    private boolean unforced;

    private SegmentWriter(StorageFile file, SegmentHeader header, Batch batch, boolean wholeBlocks, long written) {
        this.file = file;
        this.header = header;
        this.batch = batch;
        this.wholeBlocks = wholeBlocks;
        this.written = written;
    }

    /** Begins a segment; its header is written with the first batch. */
    public static SegmentWriter begin(StorageFile file, SegmentHeader header, Batch batch, boolean wholeBlocks) {
        batch.add(header);
        return new SegmentWriter(file, header, batch, wholeBlocks, 0);
    }

    /** Goes on with a segment, at the next block behind {@code end}. */
    public static SegmentWriter resume(StorageFile file, SegmentHeader header, Batch batch, boolean wholeBlocks, long end) {
        return new SegmentWriter(file, header, batch, wholeBlocks, nextBlock(end));
    }

    /** Returns whether there is room for more than the closing mark in a segment whose frames end at {@code end}. */
    public static boolean canResume(SegmentHeader header, long end) {
        return nextBlock(end) + JournalConfig.BLOCK_BYTES < header.bytes();
    }

    private static long nextBlock(long end) {
        return end + (JournalConfig.BLOCK_BYTES - 1) & -JournalConfig.BLOCK_BYTES;
    }

    /** Returns the header of the segment. */
    public SegmentHeader header() {
        return header;
    }

    /** Returns where the last frame ends. */
    public long end() {
        return end;
    }

    /** Returns whether {@code bytes} more fit into the segment; its last block is kept free for the closing mark. */
    public boolean hasRoomFor(long bytes) {
        return written + batch.size() + bytes <= header.bytes() - JournalConfig.BLOCK_BYTES;
    }

    /** Returns whether nothing was added since the last {@link #write}. */
    public boolean isEmpty() {
        return batch.size() == 0;
    }

    /** Returns whether something was written since the last {@link #force}. */
    public boolean isUnforced() {
        return unforced;
    }

    /** Adds a mark. */
    public void addMark(byte flags, int epoch, long nextSequence, long durableSequence, long timeMillis)
            throws IOException {
        makeRoom(Mark.BYTES);
        batch.addMark(flags, epoch, nextSequence, durableSequence, timeMillis);
        end = written + batch.size();
    }

    /** Adds a frame; writes what was added before if the batch has no more room. */
    public void add(MemorySegment source, long offset, int length, int epoch, long sequence) throws IOException {
        makeRoom(Frame.align(length));
        batch.add(source, offset, length, epoch, sequence);
        end = written + batch.size();
    }

    /** Writes all that was added. */
    public void write() throws IOException {
        if (wholeBlocks) {
            batch.padToBlock();
        }
        writeOut(batch.size());
    }

    /** Makes durable what was written. */
    public void force() throws IOException {
        file.force();
        unforced = false;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private void makeRoom(int bytes) throws IOException {
        if (!batch.hasRoomFor(bytes)) {
            writeOut(wholeBlocks ? batch.size() & -JournalConfig.BLOCK_BYTES : batch.size());
            if (!batch.hasRoomFor(bytes)) {
                batch.growFor(bytes);
            }
        }
    }

    private void writeOut(int bytes) throws IOException {
        if (bytes > 0) {
            unforced = true;
            file.writeFully(batch.content(bytes), written);
            written += bytes;
            batch.drop(bytes);
        }
    }
}
