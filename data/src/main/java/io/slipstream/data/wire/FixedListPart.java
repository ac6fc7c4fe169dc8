package io.slipstream.data.wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A list of values of one size: how many, then one behind the other.
 *
 * @param type of the elements
 * @param max most elements, or 0
 */
public record FixedListPart(Fixed type, int max) implements Part {
    @Override
    public boolean isEmpty(Object value) {
        return ((List<?>) value).isEmpty();
    }

    @Override
    public @Nullable Object empty() {
        return List.of();
    }

    @Override
    public int write(Object value, MemorySegment m, long base, int end, int limit, int depth, Place place) {
        List<?> list = (List<?>) value;
        int count = place.sizeOf(list, max);
        long newEnd = end + Integer.BYTES + (long) count * type.bytes();
        if (newEnd > limit) {
            throw place.noRoom(newEnd, limit);
        }
        Bytes.putInt(m, base + end, count);
        long at = base + end + Integer.BYTES;
        for (int i = 0; i < count; i++) {
            type.put(m, at, place.elementOf(list, i), place);
            at += type.bytes();
        }
        return (int) newEnd;
    }

    @Override
    public Object read(Input in, int start, Place place) {
        int count = in.count(start, type.bytes(), max, place);
        int at = start + Integer.BYTES;
        Object[] elements = new Object[count];
        for (int i = 0; i < count; i++) {
            elements[i] = type.get(in.memory, in.base + at, place, at);
            at += type.bytes();
        }
        in.cursor = at;
        return Collections.unmodifiableList(Arrays.asList(elements));
    }

    @Override
    public int bytes(Object value, int depth, Place place) {
        return Math.toIntExact(Integer.BYTES + (long) place.sizeOf((List<?>) value, max) * type.bytes());
    }
}
