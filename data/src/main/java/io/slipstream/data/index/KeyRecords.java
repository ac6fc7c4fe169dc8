package io.slipstream.data.index;

import io.slipstream.core.memory.Region;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The keys of an index of bytes, as {@link KeyRecord records} one behind the other in slabs. An address is the number
 * of the slab and the offset in it; 0 is none.
 *
 * <p>A record that was committed is not written again but for the mark that it died. Its place is used again once a
 * commit has gone by without it, by a key of as many words.
 *
 * <p>One thread writes. Others read what the index leads them to; the version is odd while a place is used again.
 */
final class KeyRecords implements AutoCloseable {
    static final long NONE = 0;

    private static final VarHandle VERSION;
    private static final int FIRST_OFFSET = 64;
    private static final long FIRST_SLAB_BYTES = 64 << 10;
    private static final int DOUBLINGS = 8;

    static {
        try {
            VERSION = MethodHandles.lookup().findVarHandle(KeyRecords.class, "version", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final @Nullable Path folder;
    private final List<Region> regions = new ArrayList<>();
    private final @Nullable LongStack[] free = new LongStack[KeyRecord.words(KeyRecord.MAX_KEY) + 1];
    private final LongStack fresh = new LongStack();
    private final LongStack dying = new LongStack();
    private volatile MemorySegment[] slabs = new MemorySegment[0];
    private long end;
    private long version;
    private int commit = 1;
    private long sum;

    /** Creates records in native memory, or in files of {@code folder}. */
    KeyRecords(@Nullable Path folder) {
        this.folder = folder;
    }

    MemorySegment memory(long address) {
        return slabs[(int) (address >>> 32)];
    }

    static long offset(long address) {
        return address & 0xffff_ffffL;
    }

    long versionAcquire() {
        return (long) VERSION.getAcquire(this);
    }

    long versionOpaque() {
        return (long) VERSION.getOpaque(this);
    }

    /** Returns the number of the commit that comes next. */
    int commit() {
        return commit;
    }

    /** Returns where the records end. */
    long end() {
        return end;
    }

    long memoryBytes() {
        long bytes = 0;
        for (MemorySegment slab : slabs) {
            bytes += slab.byteSize();
        }
        return bytes;
    }

    /** Returns whether a record may be changed, as no commit has it. */
    boolean isFresh(long address) {
        return KeyRecord.born(memory(address), offset(address)) == commit;
    }

    /** Adds a record and returns its address. */
    long add(long next, long value, MemorySegment key, long offset, int length) {
        int words = KeyRecord.words(length);
        LongStack places = free[words];
        if (places == null || places.isEmpty()) {
            long address = append(KeyRecord.HEADER + words * Long.BYTES);
            KeyRecord.write(memory(address), offset(address), next, value, commit, key, offset, length);
            remember(address);
            return address;
        }
        long address = places.pop();
        boolean isRemembered = isFresh(address);
        VERSION.setOpaque(this, version + 1);
        VarHandle.storeStoreFence();
        KeyRecord.write(memory(address), offset(address), next, value, commit, key, offset, length);
        VERSION.setRelease(this, version + 1);
        if (!isRemembered) {
            remember(address);
        }
        return address;
    }

    private void remember(long address) {
        if (folder != null) {
            fresh.push(address);
        }
    }

    /** Takes the record away, now or with the next commit. */
    void remove(long address) {
        MemorySegment m = memory(address);
        boolean isFresh = isFresh(address);
        KeyRecord.setDied(m, offset(address), commit);
        if (isFresh) {
            release(address);
        } else {
            dying.push(address);
        }
    }

    private void release(long address) {
        int words = KeyRecord.capacity(memory(address), offset(address));
        LongStack places = free[words];
        if (places == null) {
            places = new LongStack();
            free[words] = places;
        }
        places.push(address);
    }

    private long append(int bytes) {
        int last = slabs.length - 1;
        if (last < 0 || offset(end) + bytes > slabs[last].byteSize()) {
            MemorySegment[] more = Arrays.copyOf(slabs, slabs.length + 1);
            more[++last] = allocate(last, slabBytes(last));
            slabs = more;
            end = (long) last << 32 | FIRST_OFFSET;
        }
        long address = end;
        end += bytes;
        return address;
    }

    private static long slabBytes(int slab) {
        return FIRST_SLAB_BYTES << Math.min(slab, DOUBLINGS);
    }

    private MemorySegment allocate(int slab, long bytes) {
        try {
            Region region;
            if (folder == null) {
                region = Region.allocate(bytes);
            } else {
                // What an uncommitted growth before a crash has left.
                Files.deleteIfExists(file(folder, slab));
                region = Region.create(file(folder, slab), bytes);
            }
            regions.add(region);
            return region.segment();
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private static Path file(Path folder, int slab) {
        return folder.resolve("keys-" + slab);
    }

    /** Writes the checksums of new records and returns the sum over all that live. */
    long seal() {
        long all = sum;
        for (int i = 0; i < fresh.size(); i++) {
            long address = fresh.get(i);
            MemorySegment m = memory(address);
            if (KeyRecord.died(m, offset(address)) == 0) {
                KeyRecord.setChecksum(m, offset(address), KeyRecord.computeChecksum(m, offset(address)));
                all += contribution(address);
            }
        }
        for (int i = 0; i < dying.size(); i++) {
            all -= contribution(dying.get(i));
        }
        return all;
    }

    /** After a commit with this sum: what is there now is not written again, and what has died is. */
    void sealed(long all) {
        sum = all;
        fresh.clear();
        while (!dying.isEmpty()) {
            release(dying.pop());
        }
        commit++;
    }

    private long contribution(long address) {
        long checksum = KeyRecord.checksum(memory(address), offset(address)) & 0xffff_ffffL;
        return KeyHash.mix(address ^ 0x9e37_79b9_7f4a_7c15L, checksum << 1 | 1) >>> 8;
    }

    /**
     * Opens the records as they were at a commit, and returns how many there are.
     *
     * @throws IOException if a file is missing or damaged
     */
    long open(int lastCommit, long committedEnd, long committedSum) throws IOException {
        Path files = Objects.requireNonNull(folder);
        commit = lastCommit + 1;
        end = committedEnd;
        int count = committedEnd == NONE ? 0 : (int) (committedEnd >>> 32) + 1;
        MemorySegment[] opened = new MemorySegment[count];
        for (int i = 0; i < count; i++) {
            Region region = Region.open(file(files, i));
            regions.add(region);
            if (region.byteSize() != slabBytes(i)) {
                throw damaged(file(files, i), "it has " + region.byteSize() + " bytes instead of " + slabBytes(i));
            }
            opened[i] = region.segment();
        }
        slabs = opened;
        long live = 0;
        for (int i = 0; i < count; i++) {
            long limit = i == count - 1 ? offset(committedEnd) : opened[i].byteSize();
            live += openSlab(file(files, i), i, limit, lastCommit);
        }
        if (count > 0) {
            long from = offset(committedEnd);
            opened[count - 1].asSlice(from, opened[count - 1].byteSize() - from).fill((byte) 0);
        }
        if (sum != committedSum) {
            throw damaged(file(files, 0), "the sum over all keys is wrong");
        }
        return live;
    }

    private long openSlab(Path file, int slab, long limit, int lastCommit) throws IOException {
        MemorySegment m = slabs[slab];
        long live = 0;
        long at = FIRST_OFFSET;
        while (at + KeyRecord.HEADER < limit && KeyRecord.capacity(m, at) != 0) {
            long after = at + KeyRecord.HEADER + (long) KeyRecord.capacity(m, at) * Long.BYTES;
            if (after > limit || KeyRecord.words(KeyRecord.length(m, at)) != KeyRecord.capacity(m, at)) {
                throw damaged(file, "there is no key at offset " + at);
            }
            long address = (long) slab << 32 | at;
            if (KeyRecord.born(m, at) >= commit) {
                // The place of a key that had died, which was used again and not committed.
                KeyRecord.forget(m, at, lastCommit);
            } else if (KeyRecord.died(m, at) >= commit) {
                KeyRecord.setDied(m, at, 0);
            }
            if (KeyRecord.died(m, at) != 0) {
                release(address);
            } else if (KeyRecord.computeChecksum(m, at) != KeyRecord.checksum(m, at)) {
                throw damaged(file, "the checksum of the key at offset " + at + " is wrong");
            } else {
                sum += contribution(address);
                live++;
            }
            at = after;
        }
        return live;
    }

    private static IOException damaged(Path file, String how) {
        return new IOException(file + " is damaged: " + how
                + "; build the index anew from what it indexes, or restore it from a copy");
    }

    @Override
    public void close() {
        regions.forEach(Region::close);
        regions.clear();
    }
}
