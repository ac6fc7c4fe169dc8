package io.slipstream.data.index;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

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
    /** The page of each entry, for its owner: a look-up needs no more than this. */
    private final MemorySegment[] pages;

    private final int shift;

    Directory(long[] entries, Slab[] slabs, int depth, int bucketMask) {
        this(entries, slabs, depth, bucketMask, new MemorySegment[entries.length]);
        for (int i = 0; i < entries.length; i += span(i)) {
            Arrays.fill(pages, i, i + span(i), pageOf(entries[i]));
        }
    }

    private Directory(long[] entries, Slab[] slabs, int depth, int bucketMask, MemorySegment[] pages) {
        this.pages = pages;
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

    /** Returns the page in which the owner finds a hash. */
    MemorySegment page(long hash) {
        return pages[indexOf(hash)];
    }

    private MemorySegment pageOf(long entry) {
        return slabs[slab(entry)].segment.asSlice(offset(entry), (bucketMask + 1L) << Bucket.SHIFT);
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
        MemorySegment[] twicePages = new MemorySegment[twice.length];
        for (int i = 0; i < twice.length; i++) {
            twice[i] = entries[i >>> 1];
            twicePages[i] = pages[i >>> 1];
        }
        return new Directory(twice, slabs, depth + 1, bucketMask, twicePages);
    }

    Directory withSlabs(Slab[] newSlabs) {
        return new Directory(entries, newSlabs, depth, bucketMask, pages);
    }

    void replace(int first, int count, long entry) {
        for (int i = first; i < first + count; i++) {
            ENTRIES.setRelease(entries, i, entry);
        }
        Arrays.fill(pages, first, first + count, pageOf(entry));
    }
}
