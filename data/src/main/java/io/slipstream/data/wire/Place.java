package io.slipstream.data.wire;

import io.slipstream.data.DecodeException;
import io.slipstream.data.EncodeException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Where a field lies, and what it is called when something is wrong with it.
 *
 * @param name type and field, such as {@code Order.symbol}
 * @param offset of its slot from the begin of the block
 * @param bit of the block that says whether it is present, or -1
 * @param isOptional whether it may be absent
 */
public record Place(String name, int offset, int bit, boolean isOptional) {
    boolean isPresent(MemorySegment m, long block) {
        return (Bytes.getByte(m, block + (bit >> 3)) >> (bit & 7) & 1) != 0;
    }

    void present(MemorySegment m, long block, boolean isPresent) {
        long at = block + (bit >> 3);
        int mask = 1 << (bit & 7);
        int bits = Bytes.getByte(m, at);
        Bytes.putByte(m, at, (byte) (isPresent ? bits | mask : bits & ~mask));
    }

    /** Returns the size of a list that is to be written; {@code max} is 0 if there is no limit. */
    int sizeOf(List<?> list, int max) {
        int size = list.size();
        if (max != 0 && size > max) {
            throw tooLong(size, max, "elements");
        }
        return size;
    }

    /** Returns an element of a list that is to be written. */
    Object elementOf(List<?> list, int index) {
        Object element = list.get(index);
        if (element == null) {
            throw wrong("has null at " + index + "; elements of lists cannot be null");
        }
        return element;
    }

    EncodeException isNull() {
        return new EncodeException(name, "is null; mark it @Optional if it may be");
    }

    EncodeException noRoom(long needed, int limit) {
        return new EncodeException(
                name,
                "does not fit: the message takes at least " + needed
                        + " bytes with it, and there is"
                        + " room for " + limit);
    }

    EncodeException tooLong(long length, int max, String unit) {
        return new EncodeException(name, "has " + length + " " + unit + ", more than its limit of " + max);
    }

    EncodeException wrong(String what) {
        return new EncodeException(name, what);
    }

    DecodeException bad(long at, String what) {
        return new DecodeException(name, at, what);
    }

    DecodeException endsBefore(long at, long needed, int length) {
        return new DecodeException(name, at, "needs the bytes up to " + needed + ", but the message ends at " + length);
    }
}
