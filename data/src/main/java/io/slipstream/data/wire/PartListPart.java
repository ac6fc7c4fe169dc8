package io.slipstream.data.wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A list of values of any size: how many, where each begins, then one behind the other.
 *
 * @param part type of the elements
 * @param max most elements, or 0
 */
public record PartListPart(Part part, int max) implements Part {
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
        int slot = end + Integer.BYTES;
        long tail = slot + (long) count * Integer.BYTES;
        if (tail > limit) {
            throw place.noRoom(tail, limit);
        }
        Place element = element(place);
        Bytes.putInt(m, base + end, count);
        int newEnd = (int) tail;
        for (int i = 0; i < count; i++) {
            newEnd = PartSlot.write(place.elementOf(list, i), m, base, slot, newEnd, limit, depth, part, element);
            slot += Integer.BYTES;
        }
        return newEnd;
    }

    @Override
    public Object read(Input in, int start, Place place) {
        int count = in.count(start, Integer.BYTES, max, place);
        int slot = start + Integer.BYTES;
        in.cursor = slot + count * Integer.BYTES;
        Place element = element(place);
        Object[] elements = new Object[count];
        for (int i = 0; i < count; i++) {
            elements[i] = Objects.requireNonNull(PartSlot.read(in, slot, part, element));
            slot += Integer.BYTES;
        }
        return Collections.unmodifiableList(Arrays.asList(elements));
    }

    @Override
    public int bytes(Object value, int depth, Place place) {
        List<?> list = (List<?>) value;
        int count = place.sizeOf(list, max);
        int bytes = Math.addExact(Integer.BYTES, Math.multiplyExact(count, Integer.BYTES));
        for (int i = 0; i < count; i++) {
            Object element = place.elementOf(list, i);
            bytes = part.isEmpty(element) ? bytes : Math.addExact(bytes, part.bytes(element, depth, place));
        }
        return bytes;
    }

    /** An element is never absent, even if the list may be. */
    private static Place element(Place place) {
        return place.isOptional() ? new Place(place.name(), place.offset(), -1, false) : place;
    }
}
