package io.slipstream.exchange;

import java.util.Arrays;

/**
 * Room for the price levels of all books, and for the nodes of the tries that order them ({@link BookSide}).
 *
 * <p>A level is a first-in-first-out list of orders at one price:
 *
 * <pre>
 *   word   0     1          2               3
 *        +-----+----------+---------------+----------------------+
 *        | key | quantity | first : last  | orders : parent node |
 *        +-----+----------+---------------+----------------------+
 * </pre>
 *
 * A node has {@link #FANOUT} places. A reference in a place is positive for a node, negative for a level and 0 for
 * nothing. Levels and nodes are numbered from 1.
 *
 * <p>There are at most as many levels as orders (and one, while an order moves) and fewer nodes than levels. Room for
 * nodes grows by doubling up to that, because only a book with prices far apart needs much of it.
 */
final class LevelPool {
    static final int NONE = 0;
    static final int DIGIT_BITS = 6;
    static final int FANOUT = 1 << DIGIT_BITS;

    private static final int DIGIT_MASK = FANOUT - 1;
    private static final int STRIDE_SHIFT = 2;
    private static final int KEY = 0;
    private static final int QUANTITY = 1;
    private static final int ENDS = 2;
    private static final int COUNT_AND_PARENT = 3;
    private static final long LOW = 0xFFFF_FFFFL;
    private static final int INITIAL_NODES = 256;

    private final int maxNodes;
    private final long[] levels;
    private int firstFreeLevel = NONE;
    private int highestLevel;

    private int[] places;
    private long[] occupied;
    private long[] nodeKeys;
    private int[] parents;
    private byte[] shifts;
    private int firstFreeNode = NONE;
    private int highestNode;

    LevelPool(int maxOrders) {
        this.levels = new long[(maxOrders + 2) << STRIDE_SHIFT];
        this.maxNodes = maxOrders + 1;
        int nodes = Math.min(INITIAL_NODES, maxNodes + 1);
        this.places = new int[nodes << DIGIT_BITS];
        this.occupied = new long[nodes];
        this.nodeKeys = new long[nodes];
        this.parents = new int[nodes];
        this.shifts = new byte[nodes];
    }

    /** Takes an empty level for a key. */
    int takeLevel(long key) {
        int level = firstFreeLevel;
        if (level == NONE) {
            level = ++highestLevel;
        } else {
            firstFreeLevel = first(level);
        }
        int base = level << STRIDE_SHIFT;
        levels[base + KEY] = key;
        levels[base + QUANTITY] = 0;
        levels[base + ENDS] = 0;
        levels[base + COUNT_AND_PARENT] = 0;
        return level;
    }

    void releaseLevel(int level) {
        setEnds(level, firstFreeLevel, NONE);
        firstFreeLevel = level;
    }

    long key(int level) {
        return levels[(level << STRIDE_SHIFT) + KEY];
    }

    void setKey(int level, long key) {
        levels[(level << STRIDE_SHIFT) + KEY] = key;
    }

    long quantity(int level) {
        return levels[(level << STRIDE_SHIFT) + QUANTITY];
    }

    void addQuantity(int level, long quantity) {
        levels[(level << STRIDE_SHIFT) + QUANTITY] += quantity;
    }

    int first(int level) {
        return (int) (levels[(level << STRIDE_SHIFT) + ENDS] >>> 32);
    }

    int last(int level) {
        return (int) levels[(level << STRIDE_SHIFT) + ENDS];
    }

    void setEnds(int level, int first, int last) {
        levels[(level << STRIDE_SHIFT) + ENDS] = (long) first << 32 | last;
    }

    int orders(int level) {
        return (int) (levels[(level << STRIDE_SHIFT) + COUNT_AND_PARENT] >>> 32);
    }

    void addOrders(int level, int orders) {
        levels[(level << STRIDE_SHIFT) + COUNT_AND_PARENT] += (long) orders << 32;
    }

    int levelParent(int level) {
        return (int) levels[(level << STRIDE_SHIFT) + COUNT_AND_PARENT];
    }

    /** Takes an empty node whose places are told apart by the digit of a key that starts at bit {@code shift}. */
    int takeNode(long key, int shift) {
        int node = firstFreeNode;
        if (node == NONE) {
            node = ++highestNode;
            if (node == occupied.length) {
                growNodes();
            }
        } else {
            firstFreeNode = parents[node];
        }
        nodeKeys[node] = key;
        shifts[node] = (byte) shift;
        occupied[node] = 0;
        return node;
    }

    /** Gives a node back; none of its places may be left occupied but the one that {@code digit} names. */
    void releaseNode(int node, int digit) {
        places[(node << DIGIT_BITS) + digit] = NONE;
        parents[node] = firstFreeNode;
        firstFreeNode = node;
    }

    /** Some key that is, or was, under the node: its bits above the node's digit are those of all keys under it. */
    long nodeKey(int node) {
        return nodeKeys[node];
    }

    int nodeParent(int node) {
        return parents[node];
    }

    /** Whether the key's place is at or below the node. */
    boolean covers(int node, long key) {
        return (key ^ nodeKeys[node]) >>> shifts[node] >>> DIGIT_BITS == 0;
    }

    int digit(int node, long key) {
        return (int) (key >>> shifts[node]) & DIGIT_MASK;
    }

    int place(int node, int digit) {
        return places[(node << DIGIT_BITS) + digit];
    }

    /** The occupied places of a node, one bit each. */
    long occupied(int node) {
        return occupied[node];
    }

    void put(int node, int digit, int reference) {
        places[(node << DIGIT_BITS) + digit] = reference;
        occupied[node] |= 1L << digit;
        setParent(reference, node);
    }

    void clear(int node, int digit) {
        places[(node << DIGIT_BITS) + digit] = NONE;
        occupied[node] &= ~(1L << digit);
    }

    void setParent(int reference, int node) {
        if (reference > 0) {
            parents[reference] = node;
        } else {
            int at = (-reference << STRIDE_SHIFT) + COUNT_AND_PARENT;
            levels[at] = levels[at] & ~LOW | node;
        }
    }

    private void growNodes() {
        int nodes = Math.min(2 * occupied.length, maxNodes + 1);
        places = Arrays.copyOf(places, nodes << DIGIT_BITS);
        occupied = Arrays.copyOf(occupied, nodes);
        nodeKeys = Arrays.copyOf(nodeKeys, nodes);
        parents = Arrays.copyOf(parents, nodes);
        shifts = Arrays.copyOf(shifts, nodes);
    }
}
