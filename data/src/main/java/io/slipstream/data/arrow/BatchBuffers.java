package io.slipstream.data.arrow;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** The nodes and buffers of a batch, which its columns take in their order. */
final class BatchBuffers {
    private static final int NODES = 1;
    private static final int BUFFERS = 2;
    private static final int COMPRESSION = 3;
    private static final int VARIADIC = 4;

    private final FlatTable batch;
    private final MemorySegment body;
    private final int rows;
    private final int nodeCount;
    private final int bufferCount;
    private int node;
    private int buffer;
    private int variadic;

    BatchBuffers(FlatTable batch, MemorySegment body) throws IOException {
        this.batch = batch;
        this.body = body;
        FlatTable compression = batch.table(COMPRESSION);
        if (compression != null) {
            throw new IOException("the Arrow data is compressed, by "
                    + (compression.number(0, 1, 0) == 0 ? "LZ4" : "ZSTD")
                    + "; write it without: in Python, pyarrow.feather.write_feather(TABLE, FILE, \"uncompressed\")");
        }
        long length = batch.number(0, Long.BYTES, 0);
        if (length < 0 || length > Integer.MAX_VALUE - 64) {
            throw new IOException("a batch of " + length + " rows is longer than what is read; write shorter ones");
        }
        this.rows = (int) length;
        this.nodeCount = batch.count(NODES, "nodes", 2 * Long.BYTES);
        this.bufferCount = batch.count(BUFFERS, "buffers", 2 * Long.BYTES);
    }

    int rows() {
        return rows;
    }

    /** Goes to the next column, which must have all rows. */
    void column(String name) throws IOException {
        if (node == nodeCount || batch.longAt(NODES, 2 * node) != rows) {
            throw damaged(name, "it has not as many rows as the batch");
        }
        node++;
    }

    /** Returns the next buffer. */
    MemorySegment next(String name) throws IOException {
        if (buffer == bufferCount) {
            throw damaged(name, "it lacks a buffer");
        }
        long offset = batch.longAt(BUFFERS, 2 * buffer);
        long length = batch.longAt(BUFFERS, 2 * buffer + 1);
        buffer++;
        if (offset < 0 || length < 0 || offset > body.byteSize() || length > body.byteSize() - offset) {
            throw damaged(name, "a buffer of it lies outside the batch");
        }
        return body.asSlice(offset, length);
    }

    /** Returns the next buffer, which has so many bytes at least. */
    MemorySegment next(String name, long least) throws IOException {
        MemorySegment next = next(name);
        if (next.byteSize() < least) {
            throw damaged(name, "a buffer of it has " + next.byteSize() + " bytes, not " + least);
        }
        return next;
    }

    /** Returns how many buffers with long values the next column of views has. */
    int variadic(String name) throws IOException {
        if (variadic == batch.count(VARIADIC, "counts of buffers", Long.BYTES)) {
            throw damaged(name, "it lacks the number of its buffers");
        }
        long count = batch.longAt(VARIADIC, variadic++);
        if (count < 0 || count > bufferCount) {
            throw damaged(name, "it has " + count + " buffers");
        }
        return (int) count;
    }

    static IOException damaged(String name, String how) {
        return new IOException("the Arrow data is damaged: column " + name + ": " + how);
    }
}
