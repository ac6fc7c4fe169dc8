package io.slipstream.exchange;

/**
 * Room for the nodes of the tries that order the blocks of all sides ({@link BookSide}).
 *
 * <p>A node has {@link #FANOUT} places, told apart by one digit of a key, and a bit for each that is occupied. A
 * reference in a place is positive for a node, negative for a block and 0 for nothing. Nodes are numbered from 1.
 */
final class TrieNodes {
    static final int NONE = 0;
    static final int DIGIT_BITS = 6;
    static final int FANOUT = 1 << DIGIT_BITS;

    private static final int DIGIT_MASK = FANOUT - 1;

    private final int[] places;
    private final long[] occupied;
    private final long[] keys;
    private final int[] parents;
    private final byte[] shifts;
    private int firstFree = NONE;
    private int highest;

    TrieNodes(int capacity) {
        this.places = new int[(capacity + 1) << DIGIT_BITS];
        this.occupied = new long[capacity + 1];
        this.keys = new long[capacity + 1];
        this.parents = new int[capacity + 1];
        this.shifts = new byte[capacity + 1];
    }

    /**
     * Takes an empty node for the digit that starts at bit {@code shift}, and for keys which above it are like this
     * one.
     */
    int take(long key, int shift) {
        int node = firstFree;
        if (node == NONE) {
            node = ++highest;
        } else {
            firstFree = parents[node];
        }
        keys[node] = key;
        shifts[node] = (byte) shift;
        return node;
    }

    /** Gives an empty node back. */
    void release(int node) {
        parents[node] = firstFree;
        firstFree = node;
    }

    long key(int node) {
        return keys[node];
    }

    int parent(int node) {
        return parents[node];
    }

    void setParent(int node, int parent) {
        parents[node] = parent;
    }

    /** Whether the key's place is at or below the node. */
    boolean covers(int node, long key) {
        return (key ^ keys[node]) >>> shifts[node] >>> DIGIT_BITS == 0;
    }

    int digit(int node, long key) {
        return (int) (key >>> shifts[node]) & DIGIT_MASK;
    }

    int place(int node, int digit) {
        return places[(node << DIGIT_BITS) + digit];
    }

    /** The occupied places, one bit each. */
    long occupied(int node) {
        return occupied[node];
    }

    void put(int node, int digit, int reference) {
        places[(node << DIGIT_BITS) + digit] = reference;
        occupied[node] |= 1L << digit;
    }

    void clear(int node, int digit) {
        places[(node << DIGIT_BITS) + digit] = NONE;
        occupied[node] &= ~(1L << digit);
    }
}
