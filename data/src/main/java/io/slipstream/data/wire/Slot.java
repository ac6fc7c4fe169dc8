package io.slipstream.data.wire;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A field that is not a primitive. */
public sealed interface Slot permits FixedSlot, PartSlot {
    /** Returns where it lies. */
    Place place();

    /**
     * Writes the field.
     *
     * @param value of the field
     * @param m where to write
     * @param base offset of the message
     * @param block offset of the block from {@code base}
     * @param end of what is written so far, from {@code base}
     * @param limit of the message's length
     * @param depth of records within each other
     * @return the new end
     */
    int write(@Nullable Object value, MemorySegment m, long base, int block, int end, int limit, int depth);

    /** Reads the field of the block at {@code block}. */
    @Nullable
    Object read(Input in, int block);

    /** Returns how many bytes the field takes behind the blocks. */
    int tail(@Nullable Object value, int depth);

    /** Returns a new array for a field of a version that the bytes do not have; null if the field is none. */
    @Nullable
    Object blank();
}
