package io.slipstream.lincheck;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** What a bounded queue does, one call at a time: the specification that the others are checked against. */
public class BoundedFifo {
    private final ArrayDeque<Integer> elements = new ArrayDeque<>();
    private final int capacity;
    private boolean closed;

    /** Creates a queue with two places, as most checks use. */
    public BoundedFifo() {
        this(2);
    }

    BoundedFifo(int capacity) {
        this.capacity = capacity;
    }

    /** Adds an element if there is room. */
    public boolean offer(int element) {
        return !closed && elements.size() < capacity && elements.add(element);
    }

    /** Adds one element if there is room, and returns how many that were. */
    public int fill(int element) {
        return offer(element) ? 1 : 0;
    }

    /** Adds two elements, next to each other, if there is room for both. */
    public boolean offerTwo(int first, int second) {
        return !closed && elements.size() + 2 <= capacity && elements.add(first) && elements.add(second);
    }

    /** Takes the first element, or null. */
    public @Nullable Integer poll() {
        return elements.poll();
    }

    /** Takes the first element, or null. */
    public @Nullable Integer drain() {
        return poll();
    }

    /** Returns the first element, or null. */
    public @Nullable Integer peek() {
        return elements.peek();
    }

    /** Refuses what comes later. */
    public void close() {
        closed = true;
    }
}
