package io.slipstream.exchange;

/**
 * The price levels of one side of a book, best first.
 *
 * <p>A level's key is its price for asks, and its price with all bits flipped for bids, so that on both sides the best
 * level is the one with the lowest key and one piece of code serves both.
 *
 * <p>The levels hang in a trie over the digits of their keys, with a bit per occupied place and with paths and single
 * leaves compressed: a node exists only where two keys part (Morrison's PATRICIA, 1968; with the wide nodes of Leis,
 * Kemper and Neumann's adaptive radix tree, 2013). Prices that lie close share their node, so that the touch of a tight
 * book is one bit scan; and one price at the other end of the world costs one node, not a long path.
 *
 * <pre>
 *                 root  .2....7.
 *                        |    '-- level 7...          (alone, whatever its other digits are)
 *                        node ..34..
 *                               |'-- level 2..4
 *                               '--- level 2..3       (best: the lowest digit everywhere)
 * </pre>
 *
 * Whoever looks for a key tells a level near it: the search goes up from there only as far as needed, since orders move
 * and arrive near others (a finger search).
 */
final class BookSide {
    static final int NONE = LevelPool.NONE;

    /** Above every key. */
    static final long NO_KEY = Long.MAX_VALUE;

    private static final long BID_MASK = OrderBook.MAX_PRICE;

    private final LevelPool levels;
    private final long mask;
    private int root = NONE;
    private int best = NONE;
    private long bestKey = NO_KEY;

    BookSide(LevelPool levels, Side side) {
        this.levels = levels;
        this.mask = side == Side.BUY ? BID_MASK : 0;
    }

    long key(long price) {
        return price ^ mask;
    }

    long price(long key) {
        return key ^ mask;
    }

    /** The best level, or {@link #NONE}. */
    int best() {
        return best;
    }

    /** The key of the best level, or {@link #NO_KEY}. */
    long bestKey() {
        return bestKey;
    }

    /** The level with a key; a new one, still without orders, if there is none. */
    int findOrAdd(long key, int near) {
        int node = near == NONE ? NONE : levels.levelParent(near);
        while (node != NONE && !levels.covers(node, key)) {
            node = levels.nodeParent(node);
        }
        while (true) {
            int reference = node == NONE ? root : levels.place(node, levels.digit(node, key));
            if (reference > 0 && levels.covers(reference, key)) {
                node = reference;
            } else if (reference < 0 && levels.key(-reference) == key) {
                return -reference;
            } else {
                return add(key, node, reference);
            }
        }
    }

    /** Removes a level. */
    void remove(int level) {
        if (level == best) {
            setBest(next(level));
        }
        int node = levels.levelParent(level);
        if (node == NONE) {
            root = NONE;
        } else {
            levels.clear(node, levels.digit(node, levels.key(level)));
            long left = levels.occupied(node);
            if ((left & left - 1) == 0) {
                collapse(node, Long.numberOfTrailingZeros(left));
            }
        }
        levels.releaseLevel(level);
    }

    /**
     * Gives a level with its orders another key, if that can be done inside its node.
     *
     * @return false if not; then nothing has changed
     */
    boolean rekey(int level, long key) {
        int node = levels.levelParent(level);
        if (node != NONE) {
            if (!levels.covers(node, key)) {
                return false;
            }
            int digit = levels.digit(node, key);
            int there = levels.place(node, digit);
            if (there == NONE) {
                levels.clear(node, levels.digit(node, levels.key(level)));
                levels.put(node, digit, -level);
            } else if (there != -level) {
                return false;
            }
        }
        levels.setKey(level, key);
        if (level == best) {
            setBest(lowest(root));
        } else if (key < bestKey) {
            setBest(level);
        }
        return true;
    }

    /** The level after another one, or {@link #NONE}. */
    int next(int level) {
        int node = levels.levelParent(level);
        long key = levels.key(level);
        while (node != NONE) {
            int digit = levels.digit(node, key);
            long after = levels.occupied(node) & -2L << digit;
            if (after != 0) {
                return lowest(levels.place(node, Long.numberOfTrailingZeros(after)));
            }
            node = levels.nodeParent(node);
        }
        return NONE;
    }

    private int lowest(int reference) {
        while (reference > 0) {
            reference = levels.place(reference, Long.numberOfTrailingZeros(levels.occupied(reference)));
        }
        return -reference;
    }

    private void setBest(int level) {
        best = level;
        bestKey = level == NONE ? NO_KEY : levels.key(level);
    }

    private int add(long key, int node, int there) {
        int level = levels.takeLevel(key);
        if (there == NONE) {
            attach(node, key, -level);
        } else {
            part(key, -level, node, there);
        }
        if (key < bestKey) {
            setBest(level);
        }
        return level;
    }

    /** Puts a new node where two references would share a place. */
    private void part(long key, int reference, int parent, int other) {
        long otherKey = other > 0 ? levels.nodeKey(other) : levels.key(-other);
        int highestDifference = Long.SIZE - 1 - Long.numberOfLeadingZeros(key ^ otherKey);
        int shift = highestDifference / LevelPool.DIGIT_BITS * LevelPool.DIGIT_BITS;
        int node = levels.takeNode(key, shift);
        levels.put(node, levels.digit(node, otherKey), other);
        levels.put(node, levels.digit(node, key), reference);
        attach(parent, key, node);
    }

    /** Takes a node out which holds one reference only. */
    private void collapse(int node, int digit) {
        int reference = levels.place(node, digit);
        attach(levels.nodeParent(node), levels.nodeKey(node), reference);
        levels.releaseNode(node, digit);
    }

    private void attach(int node, long key, int reference) {
        if (node == NONE) {
            root = reference;
            levels.setParent(reference, NONE);
        } else {
            levels.put(node, levels.digit(node, key), reference);
        }
    }
}
