package io.slipstream.keyvalue.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * A table of slots, one for each value of the highest bits of a hash: each has an address or 0. It consists of pieces
 * that are made when they are first written.
 */
final class Slots implements AutoCloseable {
    private static final int PIECE_BITS = 10;
    private static final int PLACE_MASK = (1 << PIECE_BITS) - 1;
    private final int bits;
    private final Pages pages = new Pages();
    private final @Nullable MemorySegment[] pieces;

    /** Creates a table of {@code 1 << bits} slots, at least a thousand. */
    Slots(int bits) {
        this.bits = bits;
        this.pieces = new MemorySegment[1 << (bits - PIECE_BITS)];
        pages.expect((long) Long.BYTES << bits);
    }

    int bits() {
        return bits;
    }

    long slotOf(int hash) {
        return (hash & 0xFFFF_FFFFL) >>> (32 - bits);
    }

    long get(long slot) {
        MemorySegment piece = pieces[(int) (slot >>> PIECE_BITS)];
        return piece == null ? 0 : piece.getAtIndex(ValueLayout.JAVA_LONG, slot & PLACE_MASK);
    }

    void set(long slot, long address) {
        int at = (int) (slot >>> PIECE_BITS);
        MemorySegment piece = pieces[at];
        if (piece == null) {
            piece = pages.allocate((long) Long.BYTES << PIECE_BITS);
            pieces[at] = piece;
        }
        piece.setAtIndex(ValueLayout.JAVA_LONG, slot & PLACE_MASK, address);
    }

    /** Returns how many bytes were taken from the system. */
    long reservedBytes() {
        return pages.bytes();
    }

    @Override
    public void close() {
        pages.close();
    }
}
