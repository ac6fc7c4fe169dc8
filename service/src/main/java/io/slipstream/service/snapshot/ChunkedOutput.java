package io.slipstream.service.snapshot;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.service.machine.StateOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Cuts the bytes of a state into records of a snapshot. The last record says how many bytes there were in all.
 *
 * <p>For one thread. Nothing is allocated for what is written.
 */
public final class ChunkedOutput implements StateOutput {
    /** Type of a record that holds bytes of the state. */
    static final short CHUNK = 1;
    /** Type of the last record: the number of all bytes, a long. */
    static final short END = 2;
    /** Version of the format. */
    static final byte VERSION = 1;

    static final int CHUNK_BYTES = 1 << 16;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Sink sink;
    private final MemorySegment frame =
            MemorySegment.ofArray(new long[Frame.align(JournalRecord.HEADER_BYTES + CHUNK_BYTES) / Long.BYTES]);
    private int used;
    private long written;

    /** Creates an output whose records go to {@code sink}. */
    public ChunkedOutput(Sink sink) {
        this.sink = sink;
    }

    @Override
    public void writeByte(int value) {
        room(1);
        frame.set(ValueLayout.JAVA_BYTE, JournalRecord.HEADER_BYTES + used, (byte) value);
        used++;
    }

    @Override
    public void writeInt(int value) {
        room(Integer.BYTES);
        frame.set(INT, JournalRecord.HEADER_BYTES + used, value);
        used += Integer.BYTES;
    }

    @Override
    public void writeLong(long value) {
        room(Long.BYTES);
        frame.set(LONG, JournalRecord.HEADER_BYTES + used, value);
        used += Long.BYTES;
    }

    @Override
    public void write(MemorySegment memory, long offset, long length) {
        long at = offset;
        for (long left = length; left > 0; ) {
            room(1);
            int part = (int) Math.min(left, CHUNK_BYTES - used);
            MemorySegment.copy(memory, at, frame, JournalRecord.HEADER_BYTES + used, part);
            used += part;
            at += part;
            left -= part;
        }
    }

    /** Returns how many bytes were written. */
    public long written() {
        return written + used;
    }

    /** Writes what is left, and the number of all bytes. */
    public void finish() {
        flush();
        long all = written;
        frame.set(LONG, JournalRecord.HEADER_BYTES, all);
        hand(END, Long.BYTES);
    }

    /** A number is never cut in two, so that a chunk may end before it is full. */
    private void room(int bytes) {
        if (used + bytes > CHUNK_BYTES) {
            flush();
        }
    }

    private void flush() {
        if (used > 0) {
            hand(CHUNK, used);
            written += used;
            used = 0;
        }
    }

    private void hand(short type, int bytes) {
        int length = JournalRecord.HEADER_BYTES + bytes;
        JournalRecord.header(frame, 0, length, type, VERSION, (byte) 0);
        frame.asSlice(length, Frame.align(length) - length).fill((byte) 0);
        try {
            sink.append(frame, 0, Frame.align(length));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes whole records; {@code SnapshotWriter::append} is one. */
    @FunctionalInterface
    public interface Sink {
        /** Takes a record of {@code bytes} bytes, padding included. */
        void append(MemorySegment memory, long offset, int bytes) throws IOException;
    }
}
