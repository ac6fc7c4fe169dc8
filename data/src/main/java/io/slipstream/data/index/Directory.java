package io.slipstream.data.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Says in which page a hash is found: by its highest bits. It is replaced as a whole when it doubles or a slab is
 * added; otherwise its entries are.
 *
 * <pre>
 *   entry:   63        40 39               8 7      0
 *           |   slab     |  offset in slab  | depth  |
 *
 *   depth: how many of their highest bits all hashes of the page share
 * </pre>
 */
final class Directory {
    static final int MAX_DEPTH = 28;

    private static final VarHandle ENTRIES = MethodHandles.arrayElementVarHandle(long[].class);

    final long[] entries;
    final Slab[] slabs;
    final int depth;
    /** Buckets of a page, minus one. */
    final int bucketMask;
    private final int shift;

    Directory(long[] entries, Slab[] slabs, int depth, int bucketMask) {
        this.entries = entries;
        this.slabs = slabs;
        this.depth = depth;
        this.bucketMask = bucketMask;
        this.shift = 63 - depth;
    }

    static Directory of(long entry, Slab[] slabs, int buckets) {
        return new Directory(new long[] {entry}, slabs, 0, buckets - 1);
    }

    static long entry(int slab, long offset, int depth) {
        return (long) slab << 40 | offset << 8 | depth;
    }

    static long withDepth(long entry, int depth) {
        return entry & ~0xffL | depth;
    }

    static int slab(long entry) {
        return (int) (entry >>> 40);
    }

    static long offset(long entry) {
        return entry >>> 8 & 0xffff_ffffL;
    }

    static int depth(long entry) {
        return (int) entry & 0xff;
    }

    int indexOf(long hash) {
        // In two steps, because a shift by 64 is one by 0.
        return (int) (hash >>> 1 >>> shift);
    }

    /** Returns how many entries from {@code index} on name the same page; {@code index} is the first of them. */
    int span(int index) {
        return 1 << depth - depth(entries[index]);
    }

    long entryAcquire(int index) {
        return (long) ENTRIES.getAcquire(entries, index);
    }

    long entryOpaque(int index) {
        return (long) ENTRIES.getOpaque(entries, index);
    }

    Directory doubled() {
        if (depth == MAX_DEPTH) {
            throw new IllegalStateException("an index has at most 2^" + MAX_DEPTH + " pages");
        }
        long[] twice = new long[entries.length << 1];
        for (int i = 0; i < twice.length; i++) {
            twice[i] = entries[i >>> 1];
        }
        return new Directory(twice, slabs, depth + 1, bucketMask);
    }

    Directory withSlabs(Slab[] newSlabs) {
        return new Directory(entries, newSlabs, depth, bucketMask);
    }

    void replace(int first, int count, long entry) {
        for (int i = first; i < first + count; i++) {
            ENTRIES.setRelease(entries, i, entry);
        }
    }
}
