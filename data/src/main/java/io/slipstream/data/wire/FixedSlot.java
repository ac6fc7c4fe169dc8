package io.slipstream.data.wire;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A field that lies in the block as a whole.
 *
 * @param place of the field
 * @param type of its value
 */
public record FixedSlot(Place place, Fixed type) implements Slot {
    @Override
    public int write(@Nullable Object value, MemorySegment m, long base, int block, int end, int limit, int depth) {
        put(m, base + block, value);
        return end;
    }

    @Override
    public @Nullable Object read(Input in, int block) {
        return get(in.memory, in.base + block, block);
    }

    @Override
    public int tail(@Nullable Object value, int depth) {
        return 0;
    }

    /** Writes the field of a block. */
    public void put(MemorySegment m, long block, @Nullable Object value) {
        long at = block + place.offset();
        if (value != null) {
            type.put(m, at, value, place);
        } else if (place.isOptional()) {
            Bytes.clear(m, at, type.bytes());
        } else {
            throw place.isNull();
        }
        // After the value, as one that is refused leaves the field as it was.
        if (place.bit() >= 0) {
            place.present(m, block, value != null);
        }
    }

    /**
     * Reads the field of a block.
     *
     * @param at where the block is in memory
     * @param block offset of the block in the message
     */
    public @Nullable Object get(MemorySegment m, long at, int block) {
        if (place.bit() >= 0 && !place.isPresent(m, at)) {
            return null;
        }
        return type.get(m, at + place.offset(), place, block + place.offset());
    }

    /** Reads an array of a block into {@code current}, if that has the length, else into a new one. */
    public @Nullable Object get(MemorySegment m, long at, int block, @Nullable Object current) {
        if (current == null
                || place.isOptional()
                || !(type instanceof FixedArray(Elements elements, int length))
                || elements.length(current) != length) {
            return get(m, at, block);
        }
        elements.get(m, at + place.offset(), current, length);
        return current;
    }

    @Override
    public @Nullable Object blank() {
        return type instanceof FixedArray(Elements elements, int length) ? elements.create(length) : null;
    }
}
