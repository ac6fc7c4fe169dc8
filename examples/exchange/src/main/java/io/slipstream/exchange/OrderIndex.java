package io.slipstream.exchange;

import java.util.SplittableRandom;

/**
 * Finds an order by its owner and id: linear hashing (Litwin, 1980) with chains that run through the orders' own
 * records.
 *
 * <p>There are about four buckets for each order that rests, however many the exchange has room for. With each order
 * that comes four buckets are split, and with orders that leave the last ones are merged again. So the index of a small
 * book is small and stays in cache, and growing never takes a pause.
 *
 * <p>The hash multiplies to 128 bits and folds (Wang Yi's wyhash), with a secret of its own for each index, so that
 * nobody can choose ids that collide. The order in a chain is never seen outside, and so no result depends on the
 * secret.
 */
final class OrderIndex {
    private static final int LEAST_BUCKETS = 16;
    private static final int BUCKETS_PER_ORDER = 4;

    private final OrderPool orders;
    private final int[] heads;
    private final long idSecret;
    private final long ownerSecret;
    private int buckets = LEAST_BUCKETS;
    /** The greatest power of two that is not above the number of buckets, less one. */
    private int mask = LEAST_BUCKETS - 1;

    OrderIndex(OrderPool orders, int capacity) {
        this.orders = orders;
        this.heads = new int[LEAST_BUCKETS + BUCKETS_PER_ORDER * capacity];
        SplittableRandom random = new SplittableRandom();
        this.idSecret = random.nextLong();
        this.ownerSecret = random.nextLong();
    }

    /** The order, or {@link OrderPool#NONE}. */
    int find(long owner, long id) {
        int order = heads[bucket(hash(owner, id))];
        while (order != OrderPool.NONE && (orders.id(order) != id || orders.owner(order) != owner)) {
            order = orders.chained(order);
        }
        return order;
    }

    /** Adds an order that is not there; {@code size} is the number of orders with it. */
    void add(int order, int size) {
        int hash = hash(orders.owner(order), orders.id(order));
        int bucket = bucket(hash);
        orders.setChain(order, hash, heads[bucket]);
        heads[bucket] = order;
        while (buckets < BUCKETS_PER_ORDER * size) {
            split();
        }
    }

    /** Removes an order that is there; {@code size} is the number of orders without it. */
    void remove(int order, int size) {
        int bucket = bucket(orders.hash(order));
        int before = heads[bucket];
        if (before == order) {
            heads[bucket] = orders.chained(order);
        } else {
            while (orders.chained(before) != order) {
                before = orders.chained(before);
            }
            orders.setChained(before, orders.chained(order));
        }
        // Up to twice as many are kept, so that a book that breathes does not split and merge all the time.
        for (int i = 0; i < BUCKETS_PER_ORDER && buckets > LEAST_BUCKETS + 2 * BUCKETS_PER_ORDER * size; i++) {
            merge();
        }
    }

    private int bucket(int hash) {
        int wide = hash & (mask << 1 | 1);
        // The highest bit goes if that bucket is not there yet; without a branch, which nobody could predict.
        return wide & ~(buckets - 1 - wide >> 31 & mask + 1);
    }

    /** Adds a bucket, which takes its part from the one it differs from in the highest bit. */
    private void split() {
        int added = buckets++;
        int old = added & mask;
        if (buckets == mask + 1 << 1) {
            mask = mask << 1 | 1;
        }
        int order = heads[old];
        heads[old] = OrderPool.NONE;
        while (order != OrderPool.NONE) {
            int next = orders.chained(order);
            int bucket = bucket(orders.hash(order));
            orders.setChained(order, heads[bucket]);
            heads[bucket] = order;
            order = next;
        }
    }

    /** Takes the last bucket away. */
    private void merge() {
        int last = --buckets;
        if (last == mask) {
            mask >>>= 1;
        }
        int into = last & mask;
        int order = heads[last];
        heads[last] = OrderPool.NONE;
        while (order != OrderPool.NONE) {
            int next = orders.chained(order);
            orders.setChained(order, heads[into]);
            heads[into] = order;
            order = next;
        }
    }

    private int hash(long owner, long id) {
        long a = id ^ idSecret;
        long b = owner ^ ownerSecret;
        return (int) (a * b ^ Math.unsignedMultiplyHigh(a, b));
    }
}
