package io.slipstream.exchange;

/**
 * Room for resting orders, found by owner and id.
 *
 * <pre>
 *   word   0       1    2       3           4       5                                 6                7
 *        +-------+----+-------+-----------+-------+---------------------------------+----------------+---------+
 *        | links | id | owner | remaining | total | level : book · post-only · side | hash : chained | arrival |
 *        +-------+----+-------+-----------+-------+---------------------------------+----------------+---------+
 * </pre>
 *
 * An order is known by the reference of its record in {@link Records}. The record that was freed last is taken first,
 * so that a busy book stays in cache.
 */
final class OrderPool {
    static final int NONE = 0;

    /** More than this would let the sum of a level's quantities overflow. */
    static final int MAX_CAPACITY = 1 << 22;

    private static final int WORDS = 8;
    private static final int LINKS = 0;
    private static final int ID = 1;
    private static final int OWNER = 2;
    private static final int REMAINING = 3;
    private static final int TOTAL = 4;
    private static final int PLACE = 5;
    private static final int CHAIN = 6;
    private static final int ARRIVAL = 7;

    private static final long LOW = 0xFFFF_FFFFL;
    private static final int SIDE_BIT = 1;
    private static final int POST_ONLY_BIT = 2;
    private static final int BOOK_SHIFT = 2;

    private final int capacity;
    private final Records records;
    private final OrderIndex index;
    private int firstFree = NONE;
    private int size;
    private int highestSize;
    private long arrivals;

    /** Uses the first {@link #wordsFor} words of the records. */
    OrderPool(int capacity, Records records) {
        this.capacity = capacity;
        this.records = records;
        this.index = new OrderIndex(this, capacity);
    }

    /** The words for so many orders, with those of a record that stands for none. */
    static int wordsFor(int capacity) {
        if (capacity < 1 || capacity > MAX_CAPACITY) {
            throw new IllegalArgumentException("maxOrders must be 1 to " + MAX_CAPACITY + " but is " + capacity);
        }
        return (capacity + 1) * WORDS;
    }

    int size() {
        return size;
    }

    boolean isFull() {
        return size == capacity;
    }

    /** The order, or {@link #NONE}. */
    int find(long owner, long id) {
        return index.find(owner, id);
    }

    /** Adds an order that is in no level yet; the pool must not be full. */
    int add(int book, long owner, long id, Side side, boolean postOnly, long total, long remaining) {
        int order = firstFree;
        if (order == NONE) {
            order = ++highestSize * WORDS;
        } else {
            firstFree = (int) records.get(order, LINKS);
        }
        size++;
        records.set(order, ID, id);
        records.set(order, OWNER, owner);
        records.set(order, REMAINING, remaining);
        records.set(order, TOTAL, total);
        records.set(order, PLACE, (long) book << BOOK_SHIFT | (postOnly ? POST_ONLY_BIT : 0) | side.ordinal());
        records.set(order, ARRIVAL, ++arrivals);
        index.add(order, size);
        return order;
    }

    /** Removes an order that is in no level any more. */
    void remove(int order) {
        size--;
        index.remove(order, size);
        records.set(order, LINKS, firstFree);
        firstFree = order;
    }

    long id(int order) {
        return records.get(order, ID);
    }

    long owner(int order) {
        return records.get(order, OWNER);
    }

    /** The open quantity. */
    long remaining(int order) {
        return records.get(order, REMAINING);
    }

    void setRemaining(int order, long remaining) {
        records.set(order, REMAINING, remaining);
    }

    /** The quantity that was ordered: open and traded. */
    long total(int order) {
        return records.get(order, TOTAL);
    }

    void setTotal(int order, long total) {
        records.set(order, TOTAL, total);
    }

    /** How many orders had come to rest when this one had. */
    long arrival(int order) {
        return records.get(order, ARRIVAL);
    }

    void setArrival(int order, long arrival) {
        records.set(order, ARRIVAL, arrival);
    }

    /** How many orders have come to rest so far. */
    long arrivals() {
        return arrivals;
    }

    void setArrivals(long newArrivals) {
        arrivals = newArrivals;
    }

    int level(int order) {
        return (int) (records.get(order, PLACE) >>> 32);
    }

    void setLevel(int order, int level) {
        records.set(order, PLACE, records.get(order, PLACE) & LOW | (long) level << 32);
    }

    int book(int order) {
        return (int) records.get(order, PLACE) >>> BOOK_SHIFT;
    }

    /** The ordinal of the {@link Side}. */
    int side(int order) {
        return (int) records.get(order, PLACE) & SIDE_BIT;
    }

    boolean isPostOnly(int order) {
        return (records.get(order, PLACE) & POST_ONLY_BIT) != 0;
    }

    /** The order after this one in the index, or {@link #NONE}. */
    int chained(int order) {
        return (int) records.get(order, CHAIN);
    }

    void setChained(int order, int chained) {
        records.set(order, CHAIN, records.get(order, CHAIN) & ~LOW | chained);
    }

    /** The hash under which the order is in the index. */
    int hash(int order) {
        return (int) (records.get(order, CHAIN) >>> 32);
    }

    void setChain(int order, int hash, int chained) {
        records.set(order, CHAIN, (long) hash << 32 | chained);
    }
}
