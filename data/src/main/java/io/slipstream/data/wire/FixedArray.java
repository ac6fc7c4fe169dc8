package io.slipstream.data.wire;

import java.lang.foreign.MemorySegment;

/**
 * An array of primitives that always has the same length.
 *
 * @param elements how they are copied
 * @param length of the array
 */
public record FixedArray(Elements elements, int length) implements Fixed {
    @Override
    public int bytes() {
        return length * elements.bytes();
    }

    @Override
    public void put(MemorySegment m, long at, Object value, Place place) {
        if (elements.length(value) != length) {
            throw place.wrong("has " + elements.length(value) + " elements in place of " + length);
        }
        elements.put(m, at, value, length);
    }

    @Override
    public Object get(MemorySegment m, long at, Place place, int offset) {
        Object array = elements.create(length);
        elements.get(m, at, array, length);
        return array;
    }
}
