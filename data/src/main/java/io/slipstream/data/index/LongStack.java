package io.slipstream.data.index;

import java.util.Arrays;

/** Numbers on the heap, without boxes. */
final class LongStack {
    private long[] elements = new long[8];
    private int size;

    void push(long element) {
        if (size == elements.length) {
            elements = Arrays.copyOf(elements, size << 1);
        }
        elements[size++] = element;
    }

    long pop() {
        return elements[--size];
    }

    long get(int i) {
        return elements[i];
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    void clear() {
        size = 0;
    }
}
