package io.slipstream.data.index;

import io.slipstream.core.memory.Region;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The table below every index: from a key that is not 0 to a {@code long}.
 *
 * <p>It grows by extendible hashing (Fagin, Nievergelt, Pippenger and Strong, 1979): a page that is three quarters
 * full is split in two, and the others stay as they are, so no operation moves more than a page. Within a page,
 * buckets of four are probed one after another, and an entry that is removed leaves no mark: one that had to go on to
 * a later bucket takes its place (Knuth, The Art of Computer Programming, volume 3, algorithm 6.4R).
 *
 * <p>One thread writes. {@link TableReader} says how others read meanwhile.
 */
final class LongTable implements AutoCloseable {
    static final VarHandle DIRECTORY;

    private static final int FIRST_BUCKETS = 4;

    static {
        try {
            DIRECTORY = MethodHandles.lookup().findVarHandle(LongTable.class, "directory", Directory.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final KeyHash hash;
    private final PageStore store;
    private final int maxBuckets;
    private final int pagesInSlab;
    private final Deque<Long> freePages = new ArrayDeque<>();
    private final List<Long> replacedPages = new ArrayList<>();
    private Directory directory;
    private Slab[] slabs;
    private int pageShift;
    private int pagesUsedOfLastSlab;
    private int limit;
    private long size;
    private @Nullable Region scratch;

    /** Creates an empty table. The buckets of a page are a power of two. */
    LongTable(PageStore store, KeyHash hash, int maxBuckets, int pagesInSlab) {
        this.store = store;
        this.hash = hash;
        this.maxBuckets = maxBuckets;
        this.pagesInSlab = pagesInSlab;
        int buckets = Math.min(FIRST_BUCKETS, maxBuckets);
        this.slabs = new Slab[] {store.allocate(0, 1, (long) buckets << Bucket.SHIFT)};
        this.pagesUsedOfLastSlab = 1;
        this.directory = Directory.of(0, slabs, buckets);
        setBuckets(buckets);
    }

    /** Takes a table over as it was committed: every page of it is frozen. */
    LongTable(
            PageStore store,
            KeyHash hash,
            int maxBuckets,
            int pagesInSlab,
            Directory directory,
            long size,
            int pagesUsedOfLastSlab,
            List<Long> freePages) {
        this.store = store;
        this.hash = hash;
        this.maxBuckets = maxBuckets;
        this.pagesInSlab = pagesInSlab;
        this.directory = directory;
        this.slabs = directory.slabs;
        this.size = size;
        this.pagesUsedOfLastSlab = pagesUsedOfLastSlab;
        this.freePages.addAll(freePages);
        setBuckets(directory.bucketMask + 1);
    }

    private void setBuckets(int buckets) {
        pageShift = Integer.numberOfTrailingZeros(buckets) + Bucket.SHIFT;
        limit = buckets * 3;
    }

    long size() {
        return size;
    }

    long memoryBytes() {
        long bytes = 0;
        for (Slab slab : slabs) {
            bytes += slab.segment.byteSize();
        }
        return bytes;
    }

    /** Returns the pages of the last slab that were ever used. */
    int pagesUsedOfLastSlab() {
        return pagesUsedOfLastSlab;
    }

    /** Returns the length of a page in bytes. */
    long pageBytes() {
        return 1L << pageShift;
    }

    /** Returns the pages that will be free once what there is now is committed. */
    List<Long> freeAfterCommit() {
        List<Long> free = new ArrayList<>(freePages);
        free.addAll(replacedPages);
        return free;
    }

    /** Lets no page change any more that is in use now, and uses those again that only the former commit needed. */
    void freeze() {
        for (int i = 0; i < directory.entries.length; i += directory.span(i)) {
            long entry = directory.entries[i];
            slabs[Directory.slab(entry)].frozen[(int) (Directory.offset(entry) >>> pageShift)] = true;
        }
        for (long page : replacedPages) {
            slabs[Directory.slab(page)].frozen[(int) (Directory.offset(page) >>> pageShift)] = false;
        }
        freePages.addAll(replacedPages);
        replacedPages.clear();
    }

    Directory directory() {
        return directory;
    }

    /**
     * Returns the value, or {@code missing}.
     *
     * <p>Which of the keys of a bucket it is cannot be predicted, so the processor often goes on wrongly until the
     * bucket has come from memory. To select without a branch costs more: whatever waits for the bucket takes a place
     * among the instructions that it looks ahead to, and so fewer buckets are on their way at a time.
     */
    long get(long key, long missing) {
        long h = hash.of(key);
        Directory d = directory;
        MemorySegment page = d.page(h);
        long mask = (long) d.bucketMask << Bucket.SHIFT;
        long at = h << Bucket.SHIFT & mask;
        while (true) {
            if (Memory.getLong(page, at) == key) {
                return Memory.getLong(page, at + Bucket.VALUES);
            }
            if (Memory.getLong(page, at + 8) == key) {
                return Memory.getLong(page, at + Bucket.VALUES + 8);
            }
            if (Memory.getLong(page, at + 16) == key) {
                return Memory.getLong(page, at + Bucket.VALUES + 16);
            }
            long last = Memory.getLong(page, at + Bucket.LAST);
            if (last == key) {
                return Memory.getLong(page, at + Bucket.VALUES + Bucket.LAST);
            }
            if (last == 0) {
                return missing;
            }
            at = at + Bucket.BYTES & mask;
        }
    }

    /** Sets {@code loaded} to some word of each key's bucket: no load waits for another, as a search in them would. */
    void load(long[] keys, long[] loaded, int from, int to) {
        Directory d = directory;
        long mask = (long) d.bucketMask << Bucket.SHIFT;
        for (int i = from; i < to; i++) {
            long h = hash.of(keys[i]);
            loaded[i] = Memory.getLong(d.page(h), h << Bucket.SHIFT & mask);
        }
    }

    /** Sets the value and returns the former one, or {@code missing}. */
    long put(long key, long value, long missing) {
        long h = hash.of(key);
        while (true) {
            Directory d = directory;
            int index = d.indexOf(h);
            long entry = d.entries[index];
            Slab slab = d.slabs[Directory.slab(entry)];
            int number = (int) (Directory.offset(entry) >>> pageShift);
            if (slab.frozen[number]) {
                copy(index);
                continue;
            }
            MemorySegment page = d.page(h);
            long mask = (long) d.bucketMask << Bucket.SHIFT;
            long at = h << Bucket.SHIFT & mask;
            while (true) {
                int found = Bucket.find(page, at, key);
                if (found != Bucket.NONE) {
                    long former = Memory.getLong(page, at + Bucket.VALUES + found);
                    Memory.putLongRelease(page, at + Bucket.VALUES + found, value);
                    return former;
                }
                int free = Bucket.free(page, at);
                if (free != Bucket.NONE) {
                    if (slab.counts[number] >= limit) {
                        break;
                    }
                    slab.counts[number]++;
                    size++;
                    Memory.putLong(page, at + Bucket.VALUES + free, value);
                    Memory.putLongRelease(page, at + free, key);
                    return missing;
                }
                at = at + Bucket.BYTES & mask;
            }
            grow(index);
        }
    }

    /** Removes the key and returns its value, or {@code missing}. */
    long remove(long key, long missing) {
        long h = hash.of(key);
        while (true) {
            Directory d = directory;
            MemorySegment page = d.page(h);
            long mask = (long) d.bucketMask << Bucket.SHIFT;
            long at = h << Bucket.SHIFT & mask;
            int found = Bucket.find(page, at, key);
            while (found == Bucket.NONE) {
                if (!Bucket.isFull(page, at)) {
                    return missing;
                }
                at = at + Bucket.BYTES & mask;
                found = Bucket.find(page, at, key);
            }
            int index = d.indexOf(h);
            long entry = d.entries[index];
            Slab slab = d.slabs[Directory.slab(entry)];
            int number = (int) (Directory.offset(entry) >>> pageShift);
            if (slab.frozen[number]) {
                copy(index);
                continue;
            }
            long former = Memory.getLong(page, at + Bucket.VALUES + found);
            slab.beginMoves(number);
            Shift.fillHole(page, 0, d.bucketMask, (int) (at >>> Bucket.SHIFT), found, hash);
            slab.counts[number]--;
            size--;
            slab.endMoves(number);
            return former;
        }
    }

    /** Calls {@code consumer} with every entry; it must not change the table. */
    void forEach(EntryConsumer consumer) {
        Directory d = directory;
        for (int i = 0; i < d.entries.length; i += d.span(i)) {
            forEachOfPage(d, i, consumer);
        }
    }

    void forEachOfPage(Directory d, int index, EntryConsumer consumer) {
        long entry = d.entries[index];
        MemorySegment memory = d.slabs[Directory.slab(entry)].segment;
        long end = Directory.offset(entry) + ((d.bucketMask + 1L) << Bucket.SHIFT);
        for (long at = Directory.offset(entry); at < end; at += Bucket.BYTES) {
            for (int i = 0; i < Bucket.VALUES; i += Long.BYTES) {
                long key = Memory.getLong(memory, at + i);
                if (key == 0) {
                    break;
                }
                consumer.accept(key, Memory.getLong(memory, at + Bucket.VALUES + i));
            }
        }
    }

    @Override
    public void close() {
        store.close();
        if (scratch != null) {
            scratch.close();
        }
    }

    private void grow(int index) {
        Directory d = directory;
        if (d.bucketMask + 1 < maxBuckets) {
            enlargeOnlyPage();
            return;
        }
        if (Directory.depth(d.entries[index]) == d.depth) {
            DIRECTORY.setRelease(this, d.doubled());
            return;
        }
        split(index);
    }

    /** A table of one page that is not yet as large as pages get. The former page stays, for those who read it. */
    private void enlargeOnlyPage() {
        Directory from = directory;
        int buckets = (from.bucketMask + 1) << 1;
        setBuckets(buckets);
        addSlab(store.allocate(slabs.length, 1, 1L << pageShift));
        pagesUsedOfLastSlab = 1;
        freePages.clear();
        replacedPages.clear();
        int last = slabs.length - 1;
        Directory to = Directory.of(Directory.entry(last, 0, 0), slabs, buckets);
        MemorySegment memory = slabs[last].segment;
        forEachOfPage(from, 0, (key, value) -> Shift.insert(memory, 0, to.bucketMask, key, value, hash));
        slabs[last].counts[0] = (int) size;
        DIRECTORY.setRelease(this, to);
    }

    /** Moves those entries whose next bit of the hash is set to a new page. */
    private void split(int index) {
        long sibling = newPage();
        Directory d = directory;
        long entry = d.entries[index];
        Slab from = d.slabs[Directory.slab(entry)];
        Slab to = d.slabs[Directory.slab(sibling)];
        long fromPage = Directory.offset(entry);
        long toPage = Directory.offset(sibling);
        int number = (int) (fromPage >>> pageShift);
        int other = (int) (toPage >>> pageShift);
        int depth = Directory.depth(entry);
        from.beginMoves(number);
        to.beginMoves(other);
        int moved = Shift.split(
                from.segment, fromPage, to.segment, toPage, d.bucketMask, Long.MIN_VALUE >>> depth, hash, scratch());
        from.counts[number] -= moved;
        to.counts[other] = moved;
        to.endMoves(other);
        int span = 1 << d.depth - depth;
        int first = index & -span;
        d.replace(first, span >> 1, Directory.withDepth(entry, depth + 1));
        d.replace(first + (span >> 1), span >> 1, Directory.withDepth(sibling, depth + 1));
        from.endMoves(number);
    }

    /** Replaces a page that was committed by a copy that may be changed. */
    private void copy(int index) {
        long copy = newPage();
        Directory d = directory;
        long entry = d.entries[index];
        Slab from = d.slabs[Directory.slab(entry)];
        Slab to = d.slabs[Directory.slab(copy)];
        int number = (int) (Directory.offset(copy) >>> pageShift);
        to.beginMoves(number);
        MemorySegment.copy(from.segment, Directory.offset(entry), to.segment, Directory.offset(copy), 1L << pageShift);
        to.endMoves(number);
        to.counts[number] = from.counts[(int) (Directory.offset(entry) >>> pageShift)];
        int depth = Directory.depth(entry);
        int span = 1 << d.depth - depth;
        d.replace(index & -span, span, Directory.withDepth(copy, depth));
        replacedPages.add(Directory.withDepth(entry, 0));
    }

    private long newPage() {
        Long free = freePages.poll();
        if (free != null) {
            return free;
        }
        if (pagesUsedOfLastSlab == slabs[slabs.length - 1].counts.length) {
            addSlab(store.allocate(slabs.length, pagesInSlab, 1L << pageShift));
            DIRECTORY.setRelease(this, directory.withSlabs(slabs));
            pagesUsedOfLastSlab = 0;
        }
        return Directory.entry(slabs.length - 1, (long) pagesUsedOfLastSlab++ << pageShift, 0);
    }

    /** Native as all else: access to segments of one kind is what the compiler makes fast. */
    private MemorySegment scratch() {
        if (scratch == null) {
            scratch = Region.allocate(1L << pageShift);
        }
        return scratch.segment();
    }

    private void addSlab(Slab slab) {
        slabs = Arrays.copyOf(slabs, slabs.length + 1);
        slabs[slabs.length - 1] = slab;
    }
}
