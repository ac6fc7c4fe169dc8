package io.slipstream.data.wire;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A record within a record.
 *
 * @param struct how it is written
 */
public record StructPart(Struct<Object> struct) implements Part {
    @Override
    public boolean isEmpty(Object value) {
        return false;
    }

    @Override
    public @Nullable Object empty() {
        return null;
    }

    @Override
    public int write(Object value, MemorySegment m, long base, int end, int limit, int depth, Place place) {
        if (depth >= Input.MAX_DEPTH) {
            throw struct.tooDeep();
        }
        return struct.writeWhole(value, m, base, end, limit, depth + 1);
    }

    @Override
    public Object read(Input in, int start, Place place) {
        in.enter(start, place);
        Object value = struct.readWhole(in, start);
        in.leave();
        return value;
    }

    @Override
    public int bytes(Object value, int depth, Place place) {
        if (depth >= Input.MAX_DEPTH) {
            throw struct.tooDeep();
        }
        return struct.wholeBytes(value, depth + 1);
    }
}
