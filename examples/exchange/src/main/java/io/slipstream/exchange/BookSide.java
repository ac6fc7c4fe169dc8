package io.slipstream.exchange;

/**
 * The price levels of one side of a book, best first.
 *
 * <p>A level's key is its price for asks, and its price with all bits flipped for bids, so that on both sides the best
 * level is the one with the lowest key and one piece of code serves both.
 *
 * <p>Blocks of 64 neighbouring levels hang in a trie over the digits of their keys. Paths and single leaves are
 * compressed: a node exists only where two blocks part (Morrison's PATRICIA, 1968; with the wide nodes of Leis, Kemper
 * and Neumann's adaptive radix tree, 2013). In a tight book most orders come to a block that is there, and whose place
 * is known from an order near it; and a price at the other end of the world costs one block and one node, not a long
 * path.
 *
 * <pre>
 *        root  ..2....7.
 *                |    '--- block 7....           (alone, whatever its other digits are)
 *              node  ...34.
 *                       |'--- block 2..4
 *                       '---- block 2..3         (first: the lowest digit everywhere)
 *                             ..#.##..#          levels with orders; the lowest is the best
 * </pre>
 */
final class BookSide {
    static final int NONE = LevelPool.NONE;

    /** Above every key. */
    static final long NO_KEY = Long.MAX_VALUE;

    private final Side side;
    private final LevelPool levels;
    private final TrieNodes nodes;
    private final long mask;
    private int root = NONE;
    private int first = NONE;
    private BookSide opposite = this;

    BookSide(Side side, LevelPool levels, TrieNodes nodes) {
        this.side = side;
        this.levels = levels;
        this.nodes = nodes;
        this.mask = side == Side.BUY ? OrderBook.MAX_PRICE : 0;
    }

    /** Makes two sides face each other. */
    static void face(BookSide one, BookSide other) {
        one.opposite = other;
        other.opposite = one;
    }

    Side side() {
        return side;
    }

    BookSide opposite() {
        return opposite;
    }

    long key(long price) {
        return price ^ mask;
    }

    long price(int level) {
        return levels.key(level) ^ mask;
    }

    /** The best level, or {@link #NONE}. */
    int best() {
        return first == NONE ? NONE : levels.level(first, Long.numberOfTrailingZeros(levels.occupied(first)));
    }

    /** The key of the best level, or {@link #NO_KEY}. */
    long bestKey() {
        return first == NONE
                ? NO_KEY
                : levels.blockKey(first) << LevelPool.KEY_BITS | Long.numberOfTrailingZeros(levels.occupied(first));
    }

    /** The next best level, or {@link #NONE}. */
    int next(int level) {
        int block = levels.blockOf(level);
        long after = levels.occupied(block) & -2L << levels.position(level);
        if (after == 0) {
            block = nextBlock(block);
            if (block == NONE) {
                return NONE;
            }
            after = levels.occupied(block);
        }
        return levels.level(block, Long.numberOfTrailingZeros(after));
    }

    /**
     * The level of a key, in a block that is made if there is none. A level near it, or {@link #NONE}, speeds up the
     * search.
     */
    int level(long key, int near) {
        long blockKey = key >>> LevelPool.KEY_BITS;
        int block = near == NONE ? NONE : levels.blockOf(near);
        if (block == NONE || levels.blockKey(block) != blockKey) {
            block = findOrAdd(blockKey, block == NONE ? NONE : levels.parent(block));
        }
        return levels.level(block, key);
    }

    /** Whether {@link #level} has room for the block of a key, or need not make one. */
    boolean hasRoomFor(long key) {
        return !levels.isFull() || holds(key >>> LevelPool.KEY_BITS);
    }

    /** Must be called whenever orders were added to a level or taken from it. */
    void update(int level) {
        if (!levels.note(level)) {
            remove(levels.blockOf(level));
        }
    }

    private boolean holds(long blockKey) {
        int reference = root;
        while (reference > 0) {
            reference = nodes.place(reference, nodes.digit(reference, blockKey));
        }
        return reference != NONE && levels.blockKey(-reference) == blockKey;
    }

    private int findOrAdd(long blockKey, int near) {
        int node = near;
        while (node != NONE && !nodes.covers(node, blockKey)) {
            node = nodes.parent(node);
        }
        while (true) {
            int reference = node == NONE ? root : nodes.place(node, nodes.digit(node, blockKey));
            if (reference > 0 && nodes.covers(reference, blockKey)) {
                node = reference;
            } else if (reference < 0 && levels.blockKey(-reference) == blockKey) {
                return -reference;
            } else {
                return add(blockKey, node, reference);
            }
        }
    }

    private int add(long blockKey, int node, int there) {
        int block = levels.take(blockKey);
        if (there == NONE) {
            attach(node, blockKey, -block);
        } else {
            part(blockKey, -block, node, there);
        }
        if (first == NONE || blockKey < levels.blockKey(first)) {
            first = block;
        }
        return block;
    }

    /** Puts a new node where two references would share a place. */
    private void part(long blockKey, int reference, int parent, int other) {
        long otherKey = other > 0 ? nodes.key(other) : levels.blockKey(-other);
        int highestDifference = Long.SIZE - 1 - Long.numberOfLeadingZeros(blockKey ^ otherKey);
        int node = nodes.take(blockKey, highestDifference / TrieNodes.DIGIT_BITS * TrieNodes.DIGIT_BITS);
        attach(node, otherKey, other);
        attach(node, blockKey, reference);
        attach(parent, blockKey, node);
    }

    private void remove(int block) {
        if (block == first) {
            first = nextBlock(block);
        }
        int node = levels.parent(block);
        if (node == NONE) {
            root = NONE;
        } else {
            nodes.clear(node, nodes.digit(node, levels.blockKey(block)));
            long left = nodes.occupied(node);
            if ((left & left - 1) == 0) {
                collapse(node, Long.numberOfTrailingZeros(left));
            }
        }
        levels.release(block);
    }

    /** Takes a node out which holds one reference only. */
    private void collapse(int node, int digit) {
        int reference = nodes.place(node, digit);
        nodes.clear(node, digit);
        attach(nodes.parent(node), nodes.key(node), reference);
        nodes.release(node);
    }

    private void attach(int node, long key, int reference) {
        if (node == NONE) {
            root = reference;
        } else {
            nodes.put(node, nodes.digit(node, key), reference);
        }
        if (reference > 0) {
            nodes.setParent(reference, node);
        } else {
            levels.setParent(-reference, node);
        }
    }

    private int nextBlock(int block) {
        long key = levels.blockKey(block);
        for (int node = levels.parent(block); node != NONE; node = nodes.parent(node)) {
            long after = nodes.occupied(node) & -2L << nodes.digit(node, key);
            if (after != 0) {
                return lowest(nodes.place(node, Long.numberOfTrailingZeros(after)));
            }
        }
        return NONE;
    }

    private int lowest(int reference) {
        int lowest = reference;
        while (lowest > 0) {
            lowest = nodes.place(lowest, Long.numberOfTrailingZeros(nodes.occupied(lowest)));
        }
        return -lowest;
    }
}
