package io.slipstream.service.snapshot;

import io.slipstream.journal.record.JournalRecord;
import io.slipstream.service.machine.StateFormatException;
import io.slipstream.service.machine.StateInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Gives back what went through a {@link ChunkedOutput}. For one thread; the memory that it reads is the source's own.
 */
public final class ChunkedInput implements StateInput {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Source source;
    private final long mostBytes;
    private long position;
    private long at;
    private long end;

    /**
     * Creates an input.
     *
     * @param mostBytes how many bytes of state the source can hold at most, such as the size of its file
     */
    public ChunkedInput(Source source, long mostBytes) {
        this.source = source;
        this.mostBytes = mostBytes;
    }

    @Override
    public byte readByte() {
        require(1);
        position++;
        return source.memory().get(ValueLayout.JAVA_BYTE, at++);
    }

    @Override
    public int readInt() {
        require(Integer.BYTES);
        int value = source.memory().get(INT, at);
        skip(Integer.BYTES);
        return value;
    }

    @Override
    public long readLong() {
        require(Long.BYTES);
        long value = source.memory().get(LONG, at);
        skip(Long.BYTES);
        return value;
    }

    @Override
    public void read(MemorySegment memory, long offset, long length) {
        long to = offset;
        for (long left = length; left > 0; ) {
            require(1);
            long part = Math.min(left, end - at);
            MemorySegment.copy(source.memory(), at, memory, to, part);
            skip(part);
            to += part;
            left -= part;
        }
    }

    @Override
    public long remaining() {
        return mostBytes - position;
    }

    /**
     * Checks that all was read.
     *
     * @throws StateFormatException if there is more, or the snapshot does not say of itself that it is complete
     */
    public void finish() throws IOException {
        if (at != end) {
            throw new StateFormatException("the saved state goes on at byte " + position
                    + ", where the reader stopped; it was written in another way than it is read");
        }
        if (!source.next() || JournalRecord.type(source.memory(), source.offset()) != ChunkedOutput.END) {
            throw new StateFormatException("the saved state goes on at byte " + position + ", where it should end");
        }
        long written = source.memory().get(LONG, source.offset() + JournalRecord.HEADER_BYTES);
        if (written != position) {
            throw new StateFormatException("the saved state has " + written + " bytes, and " + position + " were read");
        }
    }

    private void skip(long bytes) {
        at += bytes;
        position += bytes;
    }

    private void require(int bytes) {
        while (at == end) {
            nextChunk(bytes);
        }
        if (end - at < bytes) {
            throw new StateFormatException("at byte " + position + " of the saved state, a number of " + bytes
                    + " bytes was to be read where " + (end - at)
                    + " are left of what was written there; it was written in another way than it is read");
        }
    }

    private void nextChunk(int bytes) {
        try {
            if (!source.next() || JournalRecord.type(source.memory(), source.offset()) != ChunkedOutput.CHUNK) {
                throw new StateFormatException("the saved state ends at byte " + position + ", and " + bytes
                        + " more were to be read; it was written in another way than it is read");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        at = source.offset() + JournalRecord.HEADER_BYTES;
        end = source.offset() + source.length();
    }

    /** Gives the records of a snapshot, one after the other. */
    public interface Source {
        /** Goes on to the next record; returns false if there is none. */
        boolean next() throws IOException;

        /** Returns where the record is. */
        MemorySegment memory();

        /** Returns the offset of its header. */
        long offset();

        /** Returns its length, header included. */
        int length();
    }
}
