package io.slipstream.exchange;

/**
 * Room for resting orders: records of one cache line each in one array, found by slot number or by owner and id.
 *
 * <pre>
 *   word   0    1       2           3       4               5                                   6
 *        +----+-------+-----------+-------+---------------+-----------------------------------+---------+
 *        | id | owner | remaining | total | next  :  prev | level : book · post-only · side   | arrival |
 *        +----+-------+-----------+-------+---------------+-----------------------------------+---------+
 * </pre>
 *
 * Slots are numbers from 1; 0 means none. A freed slot is the next one taken, so that a busy book stays in cache.
 * Arrays of numbers instead of objects: nothing to trace for a collector, no write barrier when links change.
 */
final class OrderPool {
    static final int NONE = 0;

    /** More than this would make the sum of a level's quantities overflow. */
    static final int MAX_CAPACITY = 1 << 22;

    private static final int STRIDE_SHIFT = 3;
    private static final int ID = 0;
    private static final int OWNER = 1;
    private static final int REMAINING = 2;
    private static final int TOTAL = 3;
    private static final int LINKS = 4;
    private static final int PLACE = 5;
    private static final int ARRIVAL = 6;
    private static final long LOW = 0xFFFF_FFFFL;
    private static final int SELL_BIT = 1;
    private static final int POST_ONLY_BIT = 2;
    private static final int BOOK_SHIFT = 2;

    private final int capacity;
    private final long[] words;
    private final OrderIndex index;
    private int firstFree = NONE;
    private int highest;
    private int size;
    private long arrivals;

    OrderPool(int capacity) {
        if (capacity < 1 || capacity > MAX_CAPACITY) {
            throw new IllegalArgumentException("maxOrders must be 1 to " + MAX_CAPACITY + " but is " + capacity);
        }
        this.capacity = capacity;
        this.words = new long[(capacity + 1) << STRIDE_SHIFT];
        this.index = new OrderIndex(this, capacity);
    }

    int size() {
        return size;
    }

    boolean isFull() {
        return size == capacity;
    }

    /** The slot of an order, or {@link #NONE}. */
    int find(long owner, long id) {
        return index.find(owner, id);
    }

    /** Takes a slot for an order that is not in any level yet; the pool must not be full. */
    int take(int book, long owner, long id, Side side, boolean postOnly, long total, long remaining) {
        int slot = firstFree;
        if (slot == NONE) {
            slot = ++highest;
        } else {
            firstFree = next(slot);
        }
        int base = slot << STRIDE_SHIFT;
        words[base + ID] = id;
        words[base + OWNER] = owner;
        words[base + REMAINING] = remaining;
        words[base + TOTAL] = total;
        words[base + PLACE] = (long) book << BOOK_SHIFT | (postOnly ? POST_ONLY_BIT : 0) | side.ordinal();
        words[base + ARRIVAL] = ++arrivals;
        size++;
        index.add(owner, id, slot);
        return slot;
    }

    /** Gives a slot back; what links to it must have been changed before. */
    void release(int slot) {
        index.remove(owner(slot), id(slot), slot);
        setLinks(slot, firstFree, NONE);
        firstFree = slot;
        size--;
    }

    long id(int slot) {
        return words[(slot << STRIDE_SHIFT) + ID];
    }

    long owner(int slot) {
        return words[(slot << STRIDE_SHIFT) + OWNER];
    }

    long remaining(int slot) {
        return words[(slot << STRIDE_SHIFT) + REMAINING];
    }

    void setRemaining(int slot, long remaining) {
        words[(slot << STRIDE_SHIFT) + REMAINING] = remaining;
    }

    long total(int slot) {
        return words[(slot << STRIDE_SHIFT) + TOTAL];
    }

    void setTotal(int slot, long total) {
        words[(slot << STRIDE_SHIFT) + TOTAL] = total;
    }

    /** How many orders had come to rest when this one had. */
    long arrival(int slot) {
        return words[(slot << STRIDE_SHIFT) + ARRIVAL];
    }

    int next(int slot) {
        return (int) (words[(slot << STRIDE_SHIFT) + LINKS] >>> 32);
    }

    int previous(int slot) {
        return (int) words[(slot << STRIDE_SHIFT) + LINKS];
    }

    void setNext(int slot, int next) {
        int at = (slot << STRIDE_SHIFT) + LINKS;
        words[at] = words[at] & LOW | (long) next << 32;
    }

    void setPrevious(int slot, int previous) {
        int at = (slot << STRIDE_SHIFT) + LINKS;
        words[at] = words[at] & ~LOW | previous;
    }

    void setLinks(int slot, int next, int previous) {
        words[(slot << STRIDE_SHIFT) + LINKS] = (long) next << 32 | previous;
    }

    int level(int slot) {
        return (int) (words[(slot << STRIDE_SHIFT) + PLACE] >>> 32);
    }

    void setLevel(int slot, int level) {
        int at = (slot << STRIDE_SHIFT) + PLACE;
        words[at] = words[at] & LOW | (long) level << 32;
    }

    int book(int slot) {
        return (int) words[(slot << STRIDE_SHIFT) + PLACE] >>> BOOK_SHIFT;
    }

    boolean isSell(int slot) {
        return (words[(slot << STRIDE_SHIFT) + PLACE] & SELL_BIT) != 0;
    }

    boolean isPostOnly(int slot) {
        return (words[(slot << STRIDE_SHIFT) + PLACE] & POST_ONLY_BIT) != 0;
    }
}
