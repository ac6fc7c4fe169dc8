package io.slipstream.data.arrow;

import io.slipstream.data.arrow.FlatBuffer.Structs;
import io.slipstream.data.arrow.FlatBuffer.Table;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** The columns of some rows, in the order of the fields, each of a struct before those in it. Holds no copies. */
public final class ArrowBatch {
    /** What each buffer begins at a multiple of. */
    static final int ALIGNMENT = 64;

    private final long rows;
    private final List<Long> nodes = new ArrayList<>();
    private final List<MemorySegment> buffers = new ArrayList<>();

    /** Creates a batch without columns. */
    public ArrowBatch(long rows) {
        this.rows = rows;
    }

    /** Adds a column; its buffers are to follow. */
    public void column(long nulls) {
        nodes.add(rows);
        nodes.add(nulls);
    }

    /** Adds a buffer, which must not change size, or go, before the batch is written. */
    public void buffer(MemorySegment bytes) {
        buffers.add(bytes);
    }

    /** Adds a buffer that the format allows to leave out. */
    public void noBuffer() {
        buffers.add(MemorySegment.NULL);
    }

    List<MemorySegment> buffers() {
        return buffers;
    }

    static long padded(long bytes) {
        return bytes + ALIGNMENT - 1 & -ALIGNMENT;
    }

    /** Returns the bytes of the body. */
    long bodyBytes() {
        return buffers.stream().mapToLong(buffer -> padded(buffer.byteSize())).sum();
    }

    /** Returns the table {@code RecordBatch}. */
    Table table() {
        long[] places = new long[2 * buffers.size()];
        long at = 0;
        for (int i = 0; i < buffers.size(); i++) {
            places[2 * i] = at;
            places[2 * i + 1] = buffers.get(i).byteSize();
            at += padded(buffers.get(i).byteSize());
        }
        return new Table()
                .number(0, 8, rows)
                .node(
                        1,
                        new Structs(2, nodes.stream().mapToLong(Long::longValue).toArray()))
                .node(2, new Structs(2, places));
    }
}
