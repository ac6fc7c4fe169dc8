package io.slipstream.exchange;

/**
 * Room for price levels, in blocks of {@link #LEVELS} neighbouring prices.
 *
 * <pre>
 *   level, word   0                   1          2
 *               +-------------------+----------+--------+
 *               | links to orders   | quantity | orders |   4 words
 *               +-------------------+----------+--------+
 *   block: key, a bit for each level that is not empty, its node in the trie of its side, and its 64 levels
 * </pre>
 *
 * A level's key says how good its price is ({@link BookSide}); a block's key is that of its levels without the last
 * {@link #KEY_BITS} bits. To move an order between the levels of a block, nothing has to be searched, made or freed.
 */
final class LevelPool {
    static final int NONE = 0;
    static final int KEY_BITS = 6;

    /** Levels in a block: as many as a word has bits. */
    static final int LEVELS = 1 << KEY_BITS;

    private static final int KEY_MASK = LEVELS - 1;
    private static final int LEVEL_SHIFT = 2;
    private static final int BLOCK_SHIFT = KEY_BITS + LEVEL_SHIFT;
    private static final int BLOCK_WORDS = 1 << BLOCK_SHIFT;
    private static final int QUANTITY = 1;
    private static final int ORDERS = 2;

    private final int capacity;
    private final Records records;
    private final int origin;
    private final long[] keys;
    private final long[] occupied;
    private final int[] parents;
    private int firstFree = NONE;
    private int size;
    private int highestSize;

    /** Uses {@link #wordsFor} words of the records, from the first multiple of a block's words after {@code begin}. */
    LevelPool(int capacity, Records records, int begin) {
        this.capacity = capacity;
        this.records = records;
        // Blocks are numbered from 1, and so the origin is where block 0 would be.
        this.origin = (begin + BLOCK_WORDS - 1 >>> BLOCK_SHIFT) - 1 << BLOCK_SHIFT;
        this.keys = new long[capacity + 1];
        this.occupied = new long[capacity + 1];
        this.parents = new int[capacity + 1];
    }

    /** The words for so many blocks, with those that may be lost to alignment. */
    static int wordsFor(int capacity) {
        return capacity + 1 << BLOCK_SHIFT;
    }

    boolean isFull() {
        return size == capacity;
    }

    /** Takes a block of empty levels; the pool must not be full. */
    int take(long blockKey) {
        int block = firstFree;
        if (block == NONE) {
            block = ++highestSize;
        } else {
            firstFree = parents[block];
        }
        size++;
        keys[block] = blockKey;
        for (int level = level(block, 0), end = level + BLOCK_WORDS; level < end; level += 1 << LEVEL_SHIFT) {
            records.isolate(level);
        }
        return block;
    }

    /** Gives a block back; its levels must be empty. */
    void release(int block) {
        parents[block] = firstFree;
        firstFree = block;
        size--;
    }

    /** A block's key. */
    long blockKey(int block) {
        return keys[block];
    }

    /** The levels of a block that are not empty, one bit each. */
    long occupied(int block) {
        return occupied[block];
    }

    int parent(int block) {
        return parents[block];
    }

    void setParent(int block, int node) {
        parents[block] = node;
    }

    int blockOf(int level) {
        return level - origin >>> BLOCK_SHIFT;
    }

    /** The level of a key, or of the end of a key, in a block. */
    int level(int block, long key) {
        return origin + (block << BLOCK_SHIFT) + (((int) key & KEY_MASK) << LEVEL_SHIFT);
    }

    long key(int level) {
        return keys[blockOf(level)] << KEY_BITS | position(level);
    }

    /** A level's place in its block. */
    int position(int level) {
        return level >>> LEVEL_SHIFT & KEY_MASK;
    }

    /** The open quantity of all orders; 0 only if there are none. */
    long quantity(int level) {
        return records.get(level, QUANTITY);
    }

    int orders(int level) {
        return (int) records.get(level, ORDERS);
    }

    /** Counts orders that came with their quantity, or, with both negative, that left. */
    void count(int level, int orders, long quantity) {
        records.add(level, ORDERS, orders);
        records.add(level, QUANTITY, quantity);
    }

    /** Brings a level's bit up to date, and says whether any level of its block is occupied. */
    boolean note(int level) {
        int block = blockOf(level);
        int position = position(level);
        // 1 if the level is occupied; without a branch, which nobody could predict.
        long bit = -records.get(level, QUANTITY) >>> 63;
        long bits = occupied[block] & ~(1L << position) | bit << position;
        occupied[block] = bits;
        return bits != 0;
    }
}
