package io.slipstream.data.wire;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A field of which the block says where it begins: 0 if it is absent, or empty and not optional.
 *
 * @param place of the field
 * @param part its type
 */
public record PartSlot(Place place, Part part) implements Slot {
    @Override
    public int write(@Nullable Object value, MemorySegment m, long base, int block, int end, int limit, int depth) {
        return write(value, m, base, block + place.offset(), end, limit, depth, part, place);
    }

    @Override
    public @Nullable Object read(Input in, int block) {
        return read(in, block + place.offset(), part, place);
    }

    /** Reads an array into {@code current}, if that has the length, else into a new one. */
    public @Nullable Object read(Input in, int block, @Nullable Object current) {
        int start = in.intAt(block + place.offset());
        if (current == null
                || start <= 0
                || start < in.cursor
                || start > in.length
                || !(part instanceof ArrayPart(Elements elements, int max))
                || in.count(start, elements.bytes(), max, place) != elements.length(current)) {
            return read(in, block);
        }
        int length = elements.length(current);
        elements.get(in.memory, in.base + start + Integer.BYTES, current, length);
        in.cursor = start + Integer.BYTES + length * elements.bytes();
        return current;
    }

    @Override
    public int tail(@Nullable Object value, int depth) {
        return value == null || isEmpty(value) ? 0 : part.bytes(value, depth, place);
    }

    @Override
    public @Nullable Object blank() {
        return part.empty();
    }

    /** An optional field that is empty is written all the same, as it is not absent. */
    private boolean isEmpty(Object value) {
        return !place.isOptional() && part.isEmpty(value);
    }

    static int write(
            @Nullable Object value,
            MemorySegment m,
            long base,
            int slot,
            int end,
            int limit,
            int depth,
            Part part,
            Place place) {
        if (value == null) {
            if (!place.isOptional()) {
                throw place.isNull();
            }
        } else if (place.isOptional() || !part.isEmpty(value)) {
            int newEnd = part.write(value, m, base, end, limit, depth, place);
            Bytes.putInt(m, base + slot, end);
            return newEnd;
        }
        Bytes.putInt(m, base + slot, 0);
        return end;
    }

    static @Nullable Object read(Input in, int slot, Part part, Place place) {
        int start = in.intAt(slot);
        if (start == 0) {
            return absent(slot, part, place);
        }
        if (start < in.cursor || start > in.length) {
            throw place.bad(
                    slot,
                    "says that it begins at byte " + Integer.toUnsignedString(start) + ", which is "
                            + (start < in.cursor && start > 0 ? "within what lies before it" : "beyond the message"));
        }
        return part.read(in, start, place);
    }

    private static @Nullable Object absent(int slot, Part part, Place place) {
        Object empty = place.isOptional() ? null : part.empty();
        if (empty == null && !place.isOptional()) {
            throw place.bad(slot, "is missing");
        }
        return empty;
    }
}
