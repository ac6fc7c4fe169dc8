package io.slipstream.data.wire;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A type whose values take as many bytes as they need; they lie behind the block. */
public sealed interface Part permits TextPart, ArrayPart, FixedListPart, PartListPart, StructListPart, StructPart {
    /** Returns whether a value need not be written, as it is what {@link #empty} returns. */
    boolean isEmpty(Object value);

    /** Returns the value of which no byte is written, or null if there is none. */
    @Nullable
    Object empty();

    /** Writes a value at {@code end}; returns the new end. */
    int write(Object value, MemorySegment m, long base, int end, int limit, int depth, Place place);

    /** Reads the value that begins at {@code start}, and sets the input's cursor behind it. */
    Object read(Input in, int start, Place place);

    /** Returns the bytes of a value. */
    int bytes(Object value, int depth, Place place);
}
