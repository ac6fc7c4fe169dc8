package io.slipstream.journal.segment;

import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.journal.format.SegmentHeader;
import io.slipstream.journal.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Writes the frames of one segment, one behind the other, and closes its file. For one thread. */
public sealed interface SegmentWriter extends AutoCloseable permits BufferedWriter, MappedWriter {
    /** Begins a segment; its header becomes durable with the first batch. */
    static SegmentWriter begin(StorageFile file, SegmentHeader header, Batch batch, boolean wholeBlocks, WriteMode mode)
            throws IOException {
        return mode == WriteMode.MAPPED
                ? MappedWriter.begin(file, header, wholeBlocks)
                : BufferedWriter.begin(file, header, batch, wholeBlocks);
    }

    /** Goes on with a segment, at the next block behind {@code end}. */
    static SegmentWriter resume(
            StorageFile file, SegmentHeader header, Batch batch, boolean wholeBlocks, WriteMode mode, long end)
            throws IOException {
        return mode == WriteMode.MAPPED
                ? MappedWriter.resume(file, header, wholeBlocks, end)
                : BufferedWriter.resume(file, header, batch, wholeBlocks, end);
    }

    /** Returns whether there is room for more than the closing mark in a segment whose frames end at {@code end}. */
    static boolean canResume(SegmentHeader header, long end) {
        return header.nextBlock(end) + JournalConfig.BLOCK_BYTES < header.bytes();
    }

    /** Returns the header of the segment. */
    SegmentHeader header();

    /** Returns where the last frame ends. */
    long end();

    /** Returns the checksum of the last frame. */
    int lastChecksum();

    /** Returns whether {@code bytes} more fit into the segment; its last block is kept free for the closing mark. */
    boolean hasRoomFor(long bytes);

    /** Returns whether {@code bytes} more fit into the segment, and can be added in one step. */
    boolean takesAtOnce(int bytes);

    /** Returns whether nothing was added since the last {@link #write}. */
    boolean isEmpty();

    /** Returns whether something was added since the last {@link #force}. */
    boolean isUnforced();

    /** Adds a mark. */
    void addMark(byte flags, int epoch, long nextSequence, long durableSequence, long timeMillis) throws IOException;

    /**
     * Adds sealed copies of the frames that lie side by side in {@code bytes} from {@code offset} on, and seals the
     * originals.
     *
     * @param sequence of the first one
     * @return the sequence of the record that comes next
     */
    long add(MemorySegment source, long offset, int bytes, int epoch, long sequence) throws IOException;

    /** Hands all that was added to the operating system. */
    void write() throws IOException;

    /** Returns where the next batch begins. */
    long written();

    /**
     * Returns the checksum of all bytes from where it was asked for the last time, at first from the first frame, up to
     * {@code offset}, before which everything was written.
     */
    int takeRunChecksum(long offset);

    /** Makes durable what was written. */
    void force() throws IOException;

    /** Makes durable what was written, if that is not done, and closes; for any one thread, as the last call. */
    void forceAndClose() throws IOException;

    @Override
    void close() throws IOException;
}
