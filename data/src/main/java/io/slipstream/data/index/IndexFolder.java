package io.slipstream.data.index;

import io.slipstream.core.memory.Region;
import io.slipstream.data.CommitLevel;
import io.slipstream.data.host.Device;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The files of a mapped index.
 *
 * <pre>
 *   slab-0, slab-1, ...   pages; those of the last commit are not written
 *   commit                which pages there are, with the checksum of each; replaced as a whole, by renaming
 *   lock                  held by the process that has the index open
 *
 *   commit:  magic 8 | version 4, pages in slab 4 | seed 8 | multiplier 8 | missing 8 | value of key 0 8 | size 8
 *            | max buckets 4, buckets 4 | depth 4, slabs 4 | pages used of last slab 4, free pages 4
 *            | pages of each slab 4 ... | directory entries 8 ... | free pages 8 ...
 *            | of each page in the order of the directory: entries 4, checksum 4 | checksum of all before 4
 * </pre>
 */
final class IndexFolder implements PageStore {
    private static final long MAGIC = 0x7864_6e69_7370_6c73L; // "slpsindx"
    private static final int HASHED_ONCE = 1;
    private static final int HASHED_TWICE = 2;
    private static final String COMMIT = "commit";
    private static final int FIXED_BYTES = 80;

    private final Path folder;
    private final PageSize pageSize;
    private final FileChannel lockChannel;
    private final List<Region> regions = new ArrayList<>();

    private IndexFolder(Path folder, PageSize pageSize, FileChannel lockChannel) {
        this.folder = folder;
        this.pageSize = pageSize;
        this.lockChannel = lockChannel;
    }

    static boolean exists(Path folder) {
        return Files.exists(folder.resolve(COMMIT));
    }

    static LongLongIndex create(Path folder, long missing, PageSize size) throws IOException {
        Files.createDirectories(folder);
        FileChannel lock = lock(folder);
        IndexFolder files = new IndexFolder(folder, size, lock);
        try {
            if (exists(folder)) {
                throw new IOException(folder + " holds an index already; open it, or choose another folder");
            }
            LongTable table = new LongTable(files, KeyHash.random(), size.buckets(), size.pagesInSlab());
            files.commit(table, missing, missing, CommitLevel.PROCESS);
            return new LongLongIndex(table, missing, missing, files);
        } catch (UncheckedIOException e) {
            files.close();
            throw e.getCause();
        } catch (Throwable e) {
            files.close();
            throw e;
        }
    }

    static LongLongIndex open(Path folder) throws IOException {
        Path file = folder.resolve(COMMIT);
        if (!Files.exists(file)) {
            throw new NoSuchFileException(file.toString(), null, "there is no index in " + folder);
        }
        FileChannel lock = lock(folder);
        IndexFolder files = new IndexFolder(folder, PageSize.MAPPED, lock);
        try {
            return files.read(file);
        } catch (Throwable e) {
            files.close();
            throw e;
        }
    }

    private static FileChannel lock(Path folder) throws IOException {
        FileChannel channel =
                FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // Said below.
        }
        channel.close();
        throw new IOException(folder + " is open already, here or in another process; close it there first");
    }

    private Path slabFile(int slab) {
        return folder.resolve("slab-" + slab);
    }

    @Override
    public Slab allocate(int slab, int pages, long pageBytes) {
        try {
            // What an uncommitted growth before a crash has left.
            Files.deleteIfExists(slabFile(slab));
            Region region = Region.create(slabFile(slab), pages * pageBytes);
            regions.add(region);
            return new Slab(region.segment(), pages);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    void commit(LongTable table, long missing, long zeroValue, CommitLevel level) throws IOException {
        Directory d = table.directory();
        List<Long> free = table.freeAfterCommit();
        int pages = 0;
        for (int i = 0; i < d.entries.length; i += d.span(i)) {
            pages++;
        }
        ByteBuffer out = ByteBuffer.allocate(
                        FIXED_BYTES + 4 * d.slabs.length + 8 * d.entries.length + 8 * free.size() + 8 * pages + 4)
                .order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(MAGIC)
                .putInt(table.hash.twice() ? HASHED_TWICE : HASHED_ONCE)
                .putInt(pageSize.pagesInSlab())
                .putLong(table.hash.seed())
                .putLong(table.hash.multiplier())
                .putLong(missing)
                .putLong(zeroValue)
                .putLong(table.size())
                .putInt(pageSize.buckets())
                .putInt(d.bucketMask + 1)
                .putInt(d.depth)
                .putInt(d.slabs.length)
                .putInt(table.pagesUsedOfLastSlab())
                .putInt(free.size());
        for (Slab slab : d.slabs) {
            out.putInt(slab.counts.length);
        }
        for (long entry : d.entries) {
            out.putLong(entry);
        }
        free.forEach(out::putLong);
        for (int i = 0; i < d.entries.length; i += d.span(i)) {
            Slab slab = d.slabs[Directory.slab(d.entries[i])];
            long offset = Directory.offset(d.entries[i]);
            int page = (int) (offset / table.pageBytes());
            if (!slab.frozen[page]) {
                slab.checksums[page] = checksum(slab.segment.asSlice(offset, table.pageBytes()));
            }
            out.putInt(slab.counts[page]).putInt(slab.checksums[page]);
        }
        out.putInt(checksum(MemorySegment.ofBuffer(out.duplicate().flip())));
        Path next = folder.resolve("commit.next");
        // An interrupt closes a channel, but not this stream.
        try (OutputStream file = Files.newOutputStream(next)) {
            file.write(out.array(), 0, out.position());
        }
        boolean isForced = level == CommitLevel.SYNC;
        for (int slab = 0; isForced && slab < d.slabs.length; slab++) {
            Device.forceFile(slabFile(slab));
        }
        if (isForced) {
            Device.forceFile(next);
        }
        Files.move(next, folder.resolve(COMMIT), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        if (isForced) {
            Device.forceFolder(folder);
        }
        table.freeze();
    }

    private LongLongIndex read(Path file) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        int body = in.limit() - Integer.BYTES;
        if (body < FIXED_BYTES || in.getLong(0) != MAGIC) {
            throw damaged(file, "it is no commit of an index");
        }
        int version = in.getInt(8);
        if (version != HASHED_ONCE && version != HASHED_TWICE) {
            throw new IOException(file + " has version " + version + " of the format; this release reads versions "
                    + HASHED_ONCE + " and " + HASHED_TWICE);
        }
        if (checksum(MemorySegment.ofBuffer(in.duplicate().limit(body))) != in.getInt(body)) {
            throw damaged(file, "its checksum is wrong");
        }
        in.position(12);
        int pagesInSlab = in.getInt();
        KeyHash hash = new KeyHash(in.getLong(), in.getLong(), version == HASHED_TWICE);
        long missing = in.getLong();
        long zeroValue = in.getLong();
        long size = in.getLong();
        int maxBuckets = in.getInt();
        int buckets = in.getInt();
        int depth = in.getInt();
        Slab[] slabs = new Slab[in.getInt()];
        int used = in.getInt();
        int free = in.getInt();
        long pageBytes = (long) buckets << Bucket.SHIFT;
        for (int i = 0; i < slabs.length; i++) {
            slabs[i] = openSlab(i, in.getInt(), i == slabs.length - 1 ? pageBytes : 0);
        }
        long[] entries = new long[1 << depth];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = in.getLong();
            requireInside(slabs, entries[i], pageBytes);
        }
        List<Long> freePages = new ArrayList<>();
        for (int i = 0; i < free; i++) {
            freePages.add(in.getLong());
            requireInside(slabs, freePages.getLast(), pageBytes);
        }
        Directory d = new Directory(entries, slabs, depth, buckets - 1);
        for (int i = 0; i < entries.length; i += d.span(i)) {
            verify(d, entries[i], pageBytes, in.getInt(), in.getInt());
        }
        PageSize opened = new PageSize(maxBuckets, pagesInSlab);
        IndexFolder files = new IndexFolder(folder, opened, lockChannel);
        files.regions.addAll(regions);
        LongTable table = new LongTable(files, hash, maxBuckets, pagesInSlab, d, size, used, freePages);
        table.freeze();
        return new LongLongIndex(table, missing, zeroValue, files);
    }

    private Slab openSlab(int number, int pages, long leastPageBytes) throws IOException {
        Region region = Region.open(slabFile(number));
        regions.add(region);
        if (region.byteSize() % pages != 0 || region.byteSize() / pages < leastPageBytes) {
            throw damaged(
                    slabFile(number),
                    "it has " + region.byteSize() + " bytes, which are not " + pages
                            + " pages of "
                            + leastPageBytes + " bytes");
        }
        return new Slab(region.segment(), pages);
    }

    private void verify(Directory d, long entry, long pageBytes, int count, int checksum) throws IOException {
        int number = Directory.slab(entry);
        Slab slab = d.slabs[number];
        long offset = Directory.offset(entry);
        if (checksum(slab.segment.asSlice(offset, pageBytes)) != checksum) {
            throw damaged(slabFile(number), "the checksum of the page at offset " + offset + " is wrong");
        }
        int page = (int) (offset / pageBytes);
        slab.counts[page] = count;
        slab.checksums[page] = checksum;
    }

    private void requireInside(Slab[] slabs, long page, long pageBytes) throws IOException {
        int number = Directory.slab(page);
        long offset = Directory.offset(page);
        if (offset + pageBytes > slabs[number].segment.byteSize()) {
            throw damaged(slabFile(number), "it ends before the page at offset " + offset);
        }
    }

    private IOException damaged(Path file, String how) {
        return new IOException(file + " is damaged: " + how
                + "; build the index anew from what it indexes, or restore it from a copy");
    }

    private static int checksum(MemorySegment bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.asByteBuffer());
        return (int) crc.getValue();
    }

    @Override
    public void close() {
        regions.forEach(Region::close);
        try {
            lockChannel.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot release " + folder, e);
        }
    }
}
