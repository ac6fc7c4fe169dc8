package io.slipstream.data.wire;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A string: how many bytes, then these, in UTF-8.
 *
 * @param max most bytes, or 0
 */
public record TextPart(int max) implements Part {
    @Override
    public boolean isEmpty(Object value) {
        return ((String) value).isEmpty();
    }

    @Override
    public @Nullable Object empty() {
        return "";
    }

    @Override
    public int write(Object value, MemorySegment m, long base, int end, int limit, int depth, Place place) {
        String text = (String) value;
        int start = end + Integer.BYTES;
        int length = text.length();
        if (length > limit - start) {
            throw place.noRoom((long) start + length, limit);
        }
        int ascii = Utf8.writeAscii(text, m, base + start);
        int newEnd =
                ascii == length ? start + length : Utf8.writeRest(text, ascii, m, base, start + ascii, limit, place);
        if (max != 0 && newEnd - start > max) {
            throw place.tooLong(newEnd - start, max, "bytes");
        }
        Bytes.putInt(m, base + end, newEnd - start);
        return newEnd;
    }

    @Override
    public Object read(Input in, int start, Place place) {
        int length = in.count(start, 1, max, place);
        in.cursor = start + Integer.BYTES + length;
        return Utf8.read(in.memory, in.base, start + Integer.BYTES, length, place);
    }

    @Override
    public int bytes(Object value, int depth, Place place) {
        long bytes = Utf8.length((String) value, place);
        if (max != 0 && bytes > max) {
            throw place.tooLong(bytes, max, "bytes");
        }
        return Math.toIntExact(Integer.BYTES + bytes);
    }
}
