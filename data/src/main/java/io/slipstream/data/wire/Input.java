package io.slipstream.data.wire;

import java.lang.foreign.MemorySegment;

/**
 * A message that is being decoded. Its parts lie one behind the other: none may begin before the end of the one before
 * it, so that no byte is read into two values, and what is read is never much larger than the message.
 */
public final class Input {
    /** Most records within each other. */
    public static final int MAX_DEPTH = 64;

    final MemorySegment memory;
    final long base;
    final int length;
    int cursor;
    int depth;

    /**
     * Creates the input.
     *
     * @param base offset of the message in the memory
     * @param length of the message
     * @param cursor where the first part may begin, from {@code base}
     */
    public Input(MemorySegment memory, long base, int length, int cursor) {
        this.memory = memory;
        this.base = base;
        this.length = length;
        this.cursor = cursor;
    }

    /** Returns where the message is. */
    public MemorySegment memory() {
        return memory;
    }

    /** Returns the length of the message. */
    public int length() {
        return length;
    }

    /** Returns the offset of the message in the memory. */
    public long base() {
        return base;
    }

    /** Refuses a part that begins at {@code start} and takes more bytes than the message has. */
    void need(int start, long bytes, Place place) {
        if (bytes > length - start) {
            throw place.endsBefore(start, start + bytes, length);
        }
    }

    int intAt(int at) {
        return Bytes.getInt(memory, base + at);
    }

    /** Reads the number of bytes or elements that a part begins with. */
    int count(int start, int elementBytes, int max, Place place) {
        need(start, Integer.BYTES, place);
        int count = intAt(start);
        if (count < 0 || (long) count * elementBytes > length - start - Integer.BYTES) {
            throw place.bad(
                    start,
                    "says that it has " + Integer.toUnsignedString(count) + " elements of "
                            + elementBytes
                            + " bytes, but the message ends at " + length);
        }
        if (max != 0 && count > max) {
            throw place.bad(start, "has " + count + " elements, more than its limit of " + max);
        }
        return count;
    }

    void enter(int at, Place place) {
        if (++depth > MAX_DEPTH) {
            throw place.bad(at, "is record number " + depth + " within records; the limit is " + MAX_DEPTH);
        }
    }

    void leave() {
        depth--;
    }
}
