package io.slipstream.data.wire;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * An array of primitives: how many elements, then these.
 *
 * @param elements how they are copied
 * @param max most elements, or 0
 */
public record ArrayPart(Elements elements, int max) implements Part {
    @Override
    public boolean isEmpty(Object value) {
        return elements.length(value) == 0;
    }

    @Override
    public @Nullable Object empty() {
        return elements.create(0);
    }

    @Override
    public int write(Object value, MemorySegment m, long base, int end, int limit, int depth, Place place) {
        int length = length(value, place);
        long newEnd = end + Integer.BYTES + (long) length * elements.bytes();
        if (newEnd > limit) {
            throw place.noRoom(newEnd, limit);
        }
        Bytes.putInt(m, base + end, length);
        elements.put(m, base + end + Integer.BYTES, value, length);
        return (int) newEnd;
    }

    @Override
    public Object read(Input in, int start, Place place) {
        int length = in.count(start, elements.bytes(), max, place);
        Object array = elements.create(length);
        elements.get(in.memory, in.base + start + Integer.BYTES, array, length);
        in.cursor = start + Integer.BYTES + length * elements.bytes();
        return array;
    }

    @Override
    public int bytes(Object value, int depth, Place place) {
        return Math.toIntExact(Integer.BYTES + (long) length(value, place) * elements.bytes());
    }

    private int length(Object value, Place place) {
        int length = elements.length(value);
        if (max != 0 && length > max) {
            throw place.tooLong(length, max, "elements");
        }
        return length;
    }
}
