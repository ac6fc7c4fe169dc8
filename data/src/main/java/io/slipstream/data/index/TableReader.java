package io.slipstream.data.index;

import java.lang.foreign.MemorySegment;

/**
 * Reads a table that another thread writes, without a lock.
 *
 * <p>A key that is added appears whole, as its value is written before it. Whatever moves entries makes the version
 * of the page odd before and even after: a reader that meets an odd version, or another one after than before, reads
 * again. So it does if the directory has another page for the key by then.
 */
final class TableReader {
    private final LongTable table;

    TableReader(LongTable table) {
        this.table = table;
    }

    /** Returns the value, or {@code missing}. */
    long get(long key, long missing) {
        long h = table.hash.of(key);
        while (true) {
            Directory d = (Directory) LongTable.DIRECTORY.getAcquire(table);
            int index = d.indexOf(h);
            long entry = d.entryAcquire(index);
            Slab slab = d.slabs[Directory.slab(entry)];
            int page = (int) (Directory.offset(entry) / ((d.bucketMask + 1L) << Bucket.SHIFT));
            long version = slab.versionAcquire(page);
            if ((version & 1) == 0) {
                long value = find(slab.segment, Directory.offset(entry), d.bucketMask, key, (int) h, missing);
                if (slab.isUnchanged(page, version)
                        && d.entryOpaque(index) == entry
                        && (Directory) LongTable.DIRECTORY.getOpaque(table) == d) {
                    return value;
                }
            }
            Thread.onSpinWait();
        }
    }

    /** Does what {@link LongTable#load} does. What it loads may be of a page that is no longer the key's. */
    void load(long[] keys, long[] loaded, int from, int to) {
        Directory d = (Directory) LongTable.DIRECTORY.getAcquire(table);
        long mask = (long) d.bucketMask << Bucket.SHIFT;
        for (int i = from; i < to; i++) {
            long h = table.hash.of(keys[i]);
            long entry = d.entryAcquire(d.indexOf(h));
            MemorySegment memory = d.slabs[Directory.slab(entry)].segment;
            loaded[i] = Memory.getLongOpaque(memory, Directory.offset(entry) + (h << Bucket.SHIFT & mask));
        }
    }

    /** Looks at no more buckets than there are: a page in motion may have no end of a chain. */
    private static long find(MemorySegment memory, long page, int mask, long key, int start, long missing) {
        for (int i = 0; i <= mask; i++) {
            long at = page + ((long) (start + i & mask) << Bucket.SHIFT);
            for (int slot = 0; slot <= Bucket.LAST; slot += Long.BYTES) {
                long there = Memory.getLongAcquire(memory, at + slot);
                if (there == key) {
                    return Memory.getLongOpaque(memory, at + Bucket.VALUES + slot);
                }
                if (there == 0) {
                    return missing;
                }
            }
        }
        return missing;
    }
}
