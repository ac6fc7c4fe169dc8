package io.slipstream.data.wire;

import java.lang.foreign.MemorySegment;

/** A type whose values all take the same number of bytes. */
public sealed interface Fixed permits FixedScalar, FixedDecimal, FixedEnum, FixedArray {
    /** Returns that number. */
    int bytes();

    /** Writes a value. */
    void put(MemorySegment m, long at, Object value, Place place);

    /**
     * Reads a value.
     *
     * @param offset of the value from the begin of the message, for the exception if it is none
     */
    Object get(MemorySegment m, long at, Place place, int offset);
}
