package io.slipstream.data.list;

import io.slipstream.data.arrow.ArrowBatch;
import io.slipstream.data.column.Layouts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Texts as Arrow has them: a bit that says whether there is one, where each begins and ends, and UTF-8. */
final class ArrowTexts {
    private final Arena arena;
    private final MemorySegment validity;
    private final MemorySegment ends;
    private MemorySegment bytes;
    private int count;

    ArrowTexts(Arena arena, int capacity) {
        this.arena = arena;
        this.validity = arena.allocate(capacity + 63L >>> 6 << 3, Long.BYTES);
        this.ends = arena.allocate((long) Integer.BYTES * (capacity + 1), Long.BYTES);
        this.bytes = arena.allocate(1 << 12, Long.BYTES);
    }

    void clear() {
        count = 0;
        validity.fill((byte) 0);
    }

    void add(byte[] utf8) {
        addWithin(Integer.MAX_VALUE, utf8);
    }

    /** Adds a text, unless there were more bytes then; the first one is always added. */
    boolean addWithin(int limit, byte[] utf8) {
        int begin = end(count);
        if (utf8.length > limit - begin && count > 0) {
            return false;
        }
        int end = begin + utf8.length;
        if (end > bytes.byteSize()) {
            MemorySegment more = arena.allocate(Math.max(end, 2 * bytes.byteSize()), Long.BYTES);
            MemorySegment.copy(bytes, 0, more, 0, begin);
            bytes = more;
        }
        MemorySegment.copy(utf8, 0, bytes, Layouts.BYTE, begin, utf8.length);
        long word = (long) (count >>> 6) << 3;
        validity.set(Layouts.LONG, word, validity.get(Layouts.LONG, word) | 1L << count);
        addEnd(end);
        return true;
    }

    void addNull() {
        addEnd(end(count));
    }

    private int end(int of) {
        return ends.get(Layouts.INT, (long) Integer.BYTES * of);
    }

    private void addEnd(int end) {
        count++;
        ends.set(Layouts.INT, (long) Integer.BYTES * count, end);
    }

    MemorySegment validity() {
        return validity;
    }

    /** Returns how many of the first {@code rows} are null. */
    int nulls(int rows) {
        int there = 0;
        for (int i = 0; i < rows; i += Long.SIZE) {
            long bits = validity.get(Layouts.LONG, i >>> 3);
            there += Long.bitCount(rows - i < Long.SIZE ? bits & (1L << rows) - 1 : bits);
        }
        return rows - there;
    }

    /** Adds the buffers of the first {@code rows}, but not that of the bits. */
    void addTo(ArrowBatch batch, int rows) {
        batch.buffer(ends.asSlice(0, (long) Integer.BYTES * (rows + 1)));
        batch.buffer(bytes.asSlice(0, end(rows)));
    }
}
