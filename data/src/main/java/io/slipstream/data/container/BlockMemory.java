package io.slipstream.data.container;

import io.slipstream.core.memory.Region;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * The memory of a block, which grows with the longest one, and its way to the file and back. An interrupt would close a
 * channel, but not what this reads and writes with. One thread.
 */
final class BlockMemory implements AutoCloseable {
    private static final int CHUNK = 1 << 16;

    private final byte[] chunk = new byte[CHUNK];
    private Region region;
    private ByteBuffer buffer;

    BlockMemory(int bytes) {
        region = Region.allocate(bytes);
        buffer = region.segment().asByteBuffer();
    }

    MemorySegment memory() {
        return region.segment();
    }

    /** Returns the same memory. */
    ByteBuffer buffer() {
        return buffer;
    }

    /** Makes room for so many bytes, and keeps the first ones of those that are there. */
    void require(int bytes, int keep) {
        if (bytes > region.byteSize()) {
            Region larger = Region.allocate(bytes);
            MemorySegment.copy(region.segment(), 0, larger.segment(), 0, keep);
            region.close();
            region = larger;
            buffer = larger.segment().asByteBuffer();
        }
    }

    /** Writes the first bytes of the memory. */
    void write(RandomAccessFile out, long position, int end) throws IOException {
        out.seek(position);
        for (int at = 0; at < end; at += CHUNK) {
            int some = Math.min(CHUNK, end - at);
            buffer.get(at, chunk, 0, some);
            out.write(chunk, 0, some);
        }
    }

    /** Reads bytes of the file into the same place of the memory, from {@code position} on. */
    void read(RandomAccessFile in, long position, int begin, int end) throws IOException {
        in.seek(position + begin);
        for (int at = begin; at < end; at += CHUNK) {
            int some = Math.min(CHUNK, end - at);
            in.readFully(chunk, 0, some);
            buffer.put(at, chunk, 0, some);
        }
    }

    @Override
    public void close() {
        region.close();
    }
}
