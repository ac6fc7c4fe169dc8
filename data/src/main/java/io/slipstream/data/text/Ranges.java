package io.slipstream.data.text;

import java.util.Arrays;

/**
 * Where parts of a text begin and end: the caller's own list, filled again and again without garbage. Belongs to one
 * thread at a time.
 */
public final class Ranges {
    private long[] ranges = new long[16];
    private int size;

    /** Creates an empty list. */
    public Ranges() {}

    /** Returns how many there are. */
    public int size() {
        return size;
    }

    /** Returns where the part at {@code index} begins. */
    public int begin(int index) {
        return (int) (get(index) >>> 32);
    }

    /** Returns where the part at {@code index} ends, exclusive. */
    public int end(int index) {
        return (int) get(index);
    }

    /** Adds a part. */
    public void add(int begin, int end) {
        if (size == ranges.length) {
            ranges = Arrays.copyOf(ranges, 2 * size);
        }
        ranges[size++] = (long) begin << 32 | end;
    }

    /** Takes all away; the memory stays. */
    public void clear() {
        size = 0;
    }

    void removeLast() {
        size--;
    }

    void set(int index, int begin, int end) {
        ranges[index] = (long) begin << 32 | end;
    }

    private long get(int index) {
        if (index >= size) {
            throw new IndexOutOfBoundsException("there is no part " + index + "; there are " + size);
        }
        return ranges[index];
    }
}
