package io.slipstream.exchange;

import java.util.SplittableRandom;

/**
 * Finds the slot of an order by its owner and id: open addressing with linear probing, at most half full.
 *
 * <p>Clients tend to count their ids upward. So the lowest bits of an id choose the entry inside a cache line and the
 * others, hashed, choose the line: neighbours in time share a line, and any other pattern of ids is spread evenly.
 * The hash multiplies to 128 bits and folds (Wang Yi's wyhash), with a secret of its own for each index, so that nobody
 * can choose ids that collide. The order of the entries is never seen outside, and so no result depends on the secret.
 *
 * <p>An entry is a tag of 32 bits and a slot. The tag's low bits are the entry's home, so that removal can shift later
 * entries back (Knuth, TAOCP 3, 6.4 R) without reading their orders, and no tombstones gather.
 */
final class OrderIndex {
    private static final int LINE_BITS = 3;
    private static final int LINE_MASK = (1 << LINE_BITS) - 1;

    private final OrderPool orders;
    private final long[] entries;
    private final int mask;
    private final long idSecret;
    private final long ownerSecret;

    OrderIndex(OrderPool orders, int capacity) {
        this.orders = orders;
        int length = Math.max(2 << LINE_BITS, Integer.highestOneBit(2 * capacity - 1) << 1);
        this.entries = new long[length];
        this.mask = length - 1;
        SplittableRandom random = new SplittableRandom();
        this.idSecret = random.nextLong();
        this.ownerSecret = random.nextLong();
    }

    /** The slot of the order, or {@link OrderPool#NONE}. */
    int find(long owner, long id) {
        int tag = tag(owner, id);
        int at = tag & mask;
        while (true) {
            long entry = entries[at];
            if (entry == 0) {
                return OrderPool.NONE;
            }
            int slot = (int) entry;
            if ((int) (entry >>> 32) == tag && orders.id(slot) == id && orders.owner(slot) == owner) {
                return slot;
            }
            at = at + 1 & mask;
        }
    }

    /** Adds an order that is not there. */
    void add(long owner, long id, int slot) {
        int tag = tag(owner, id);
        int at = tag & mask;
        while (entries[at] != 0) {
            at = at + 1 & mask;
        }
        entries[at] = (long) tag << 32 | slot;
    }

    /** Removes an order that is there. */
    void remove(long owner, long id, int slot) {
        int tag = tag(owner, id);
        long wanted = (long) tag << 32 | slot;
        int hole = tag & mask;
        while (entries[hole] != wanted) {
            hole = hole + 1 & mask;
        }
        int at = hole;
        while (true) {
            at = at + 1 & mask;
            long entry = entries[at];
            if (entry == 0) {
                entries[hole] = 0;
                return;
            }
            int home = (int) (entry >>> 32) & mask;
            if ((at - home & mask) >= (at - hole & mask)) {
                entries[hole] = entry;
                hole = at;
            }
        }
    }

    private int tag(long owner, long id) {
        long a = id >>> LINE_BITS ^ idSecret;
        long b = owner ^ ownerSecret;
        long folded = a * b ^ Math.unsignedMultiplyHigh(a, b);
        return (int) folded << LINE_BITS | (int) id & LINE_MASK;
    }
}
