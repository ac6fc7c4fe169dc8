package io.slipstream.data.wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A list of records: how many, one header for all, their blocks side by side, then the parts of each.
 *
 * @param struct how one is written
 * @param max most elements, or 0
 */
public record StructListPart(Struct<Object> struct, int max) implements Part {
    private static final int HEAD_BYTES = Integer.BYTES + Struct.HEADER_BYTES;

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
        int block = end + HEAD_BYTES;
        long tail = block + (long) count * struct.blockBytes();
        if (tail > limit) {
            throw place.noRoom(tail, limit);
        }
        if (depth >= Input.MAX_DEPTH) {
            throw struct.tooDeep();
        }
        Bytes.putInt(m, base + end, count);
        Bytes.putLong(m, base + end + Integer.BYTES, struct.header());
        int newEnd = (int) tail;
        for (int i = 0; i < count; i++) {
            newEnd = struct.write(place.elementOf(list, i), m, base, block, newEnd, limit, depth + 1);
            block += struct.blockBytes();
        }
        return newEnd;
    }

    @Override
    public Object read(Input in, int start, Place place) {
        in.need(start, HEAD_BYTES, place);
        long header = Bytes.getLong(in.memory, in.base + start + Integer.BYTES);
        int version = struct.version(header, start + Integer.BYTES);
        int blockBytes = Math.max(1, Header.blockBytes(header));
        int count = in.count(start, blockBytes, max, place);
        int block = start + HEAD_BYTES;
        in.need(block, (long) count * blockBytes, place);
        in.cursor = block + count * blockBytes;
        in.enter(start, place);
        Object[] elements = new Object[count];
        for (int i = 0; i < count; i++) {
            elements[i] = struct.read(in, block, version);
            block += blockBytes;
        }
        in.leave();
        return Collections.unmodifiableList(Arrays.asList(elements));
    }

    @Override
    public int bytes(Object value, int depth, Place place) {
        List<?> list = (List<?>) value;
        if (depth >= Input.MAX_DEPTH) {
            throw struct.tooDeep();
        }
        int count = place.sizeOf(list, max);
        int bytes = HEAD_BYTES;
        for (int i = 0; i < count; i++) {
            bytes = Math.addExact(bytes, struct.blockBytes() + struct.tail(place.elementOf(list, i), depth + 1));
        }
        return bytes;
    }
}
