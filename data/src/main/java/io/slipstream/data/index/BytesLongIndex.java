package io.slipstream.data.index;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

/**
 * A map from bytes, or from strings as UTF-8, to {@code long}; outside the heap, in native memory or in a folder of
 * mapped files. A key has at most {@value KeyRecord#MAX_KEY} bytes.
 *
 * <p>A {@link LongLongIndex} leads from the hash of a key to where the key lies, so this grows as that does: no call
 * moves more than a page. The hash has a secret of each index, so that nobody can choose keys that meet.
 *
 * <p>One thread, the owner, calls all methods; others read, each through a {@link #reader} of its own. One value, the
 * missing value, stands for no entry and cannot be put.
 *
 * <p>A mapped index opens again as it was at the last {@link #commit}, also after the process was killed. It does not
 * force its files to the device, so a loss of power may take them; then it is refused.
 */
public final class BytesLongIndex implements AutoCloseable {
    /** What the index from hashes says where there is no key. */
    static final long NO_HEAD = Long.MIN_VALUE;

    // Entries of the index from hashes that are none of hashes: so one commit covers all.
    private static final int RESERVED = 16;
    private static final long COMMIT = 0;
    private static final long END = 1;
    private static final long SUM = 2;
    private static final long SEED = 3;
    private static final long MULTIPLIER = 4;
    private static final long MISSING_HIGH = 5;
    private static final long MISSING_LOW = 6;

    private final LongLongIndex heads;
    private final KeyRecords records;
    private final KeyHash hash;
    private final long missing;
    private final KeyText text = new KeyText();
    private final LongStack gone = new LongStack();
    private long size;

    private BytesLongIndex(LongLongIndex heads, KeyRecords records, KeyHash hash, long missing, long size) {
        this.heads = heads;
        this.records = records;
        this.hash = hash;
        this.missing = missing;
        this.size = size;
    }

    /** Creates an empty index in native memory. */
    public static BytesLongIndex inMemory(long missing) {
        return inMemory(missing, KeyHash.random());
    }

    static BytesLongIndex inMemory(long missing, KeyHash hash) {
        return new BytesLongIndex(LongLongIndex.inMemory(NO_HEAD), new KeyRecords(null), hash, missing, 0);
    }

    /**
     * Creates an empty index in {@code folder}, which must not hold one, and commits it.
     *
     * @throws IOException if the folder holds an index, cannot be written, or the disk is full
     */
    public static BytesLongIndex create(Path folder, long missing) throws IOException {
        return create(folder, missing, KeyHash.random());
    }

    static BytesLongIndex create(Path folder, long missing, KeyHash hash) throws IOException {
        LongLongIndex heads = createHeads(Files.createDirectories(folder).resolve("hashes"));
        BytesLongIndex index = new BytesLongIndex(heads, new KeyRecords(folder), hash, missing, 0);
        try {
            heads.put(SEED, hash.seed());
            heads.put(MULTIPLIER, hash.multiplier());
            heads.put(MISSING_HIGH, missing >>> 32);
            heads.put(MISSING_LOW, missing & 0xffff_ffffL);
            index.commit();
            return index;
        } catch (Throwable e) {
            index.close();
            throw e;
        }
    }

    private static LongLongIndex createHeads(Path folder) throws IOException {
        if (!IndexFolder.exists(folder)) {
            return LongLongIndex.create(folder, NO_HEAD);
        }
        LongLongIndex heads = LongLongIndex.open(folder);
        if (isComplete(heads)) {
            heads.close();
            throw new IOException(folder.getParent() + " holds an index already; open it, or choose another folder");
        }
        return heads;
    }

    /** Returns whether the index was committed, and not just begun by a process that was killed then. */
    private static boolean isComplete(LongLongIndex heads) {
        return heads.get(COMMIT) != NO_HEAD;
    }

    /**
     * Opens the index in {@code folder} as it was at its last commit, and takes it for this process alone.
     *
     * @throws IOException if there is none, another process has it, or it is damaged: the message says in which file
     *         and where
     */
    public static BytesLongIndex open(Path folder) throws IOException {
        LongLongIndex heads = LongLongIndex.open(folder.resolve("hashes"));
        if (!isComplete(heads)) {
            heads.close();
            throw new NoSuchFileException(
                    folder.toString(), null, "a process was killed while it created an index there; create it again");
        }
        KeyRecords records = new KeyRecords(folder);
        try {
            long size = records.open((int) heads.get(COMMIT), heads.get(END), heads.get(SUM));
            return new BytesLongIndex(
                    heads,
                    records,
                    new KeyHash(heads.get(SEED), heads.get(MULTIPLIER)),
                    heads.get(MISSING_HIGH) << 32 | heads.get(MISSING_LOW),
                    size);
        } catch (Throwable e) {
            heads.close();
            records.close();
            throw e;
        }
    }

    /** Returns the value of a key that lies in {@code memory}, or the missing value. */
    public long get(MemorySegment memory, long offset, int length) {
        long address = find(heads.get(fingerprint(memory, offset, length)), memory, offset, length);
        return address == KeyRecords.NONE ? missing : value(address);
    }

    /** Returns the value of {@code key}, or the missing value. */
    public long get(byte[] key) {
        int length = text.set(key);
        return get(text.memory(), 0, length);
    }

    /** Returns the value of {@code key} as UTF-8, or the missing value. */
    public long get(String key) {
        int length = text.set(key);
        return get(text.memory(), 0, length);
    }

    /**
     * Sets the value of a key that lies in {@code memory}, and returns the former one, or the missing value.
     *
     * @throws IllegalArgumentException if {@code value} is the missing value, or the key is too long
     * @throws java.io.UncheckedIOException if a mapped index had to grow and the disk is full; the entries are as
     *         before
     */
    public long put(MemorySegment memory, long offset, int length, long value) {
        if (value == missing) {
            throw new IllegalArgumentException(
                    value + " stands for no entry in this index; remove the key, or choose another missing value");
        }
        if (length > KeyRecord.MAX_KEY) {
            throw new IllegalArgumentException("a key of " + length + " bytes; it has at most " + KeyRecord.MAX_KEY);
        }
        long print = fingerprint(memory, offset, length);
        long head = heads.get(print);
        long address = find(head, memory, offset, length);
        if (address == KeyRecords.NONE) {
            lead(print, head, records.add(head == NO_HEAD ? KeyRecords.NONE : head, value, memory, offset, length));
            size++;
            return missing;
        }
        long former = value(address);
        if (records.isFresh(address)) {
            KeyRecord.setValue(records.memory(address), KeyRecords.offset(address), value);
        } else if (former != value) {
            long next = KeyRecord.next(records.memory(address), KeyRecords.offset(address));
            replace(print, head, address, records.add(next, value, memory, offset, length));
        }
        return former;
    }

    /** Sets the value of {@code key} and returns the former one, or the missing value. */
    public long put(byte[] key, long value) {
        int length = text.set(key);
        return put(text.memory(), 0, length, value);
    }

    /**
     * Sets the value of {@code key} as UTF-8 and returns the former one, or the missing value.
     *
     * @throws IllegalArgumentException as above, and if the key has half of a surrogate pair
     */
    public long put(String key, long value) {
        int length = text.set(key);
        return put(text.memory(), 0, length, value);
    }

    /** Removes a key that lies in {@code memory}, and returns its value, or the missing value. */
    public long remove(MemorySegment memory, long offset, int length) {
        long print = fingerprint(memory, offset, length);
        long head = heads.get(print);
        long address = find(head, memory, offset, length);
        if (address == KeyRecords.NONE) {
            return missing;
        }
        long former = value(address);
        replace(print, head, address, KeyRecord.next(records.memory(address), KeyRecords.offset(address)));
        size--;
        return former;
    }

    /** Removes {@code key} and returns its value, or the missing value. */
    public long remove(byte[] key) {
        int length = text.set(key);
        return remove(text.memory(), 0, length);
    }

    /** Removes {@code key} and returns its value, or the missing value. */
    public long remove(String key) {
        int length = text.set(key);
        return remove(text.memory(), 0, length);
    }

    /** Returns the number of entries. */
    public long size() {
        return size;
    }

    /** Returns the value that stands for no entry. */
    public long missing() {
        return missing;
    }

    /** Returns the bytes of native memory, or of files, that the index takes. */
    public long memoryBytes() {
        return heads.memoryBytes() + records.memoryBytes();
    }

    /** Calls {@code consumer} with every entry, in no order; it must not change the index. */
    public void forEach(KeyConsumer consumer) {
        heads.forEach((print, head) -> {
            if (print >>> 4 != 0) {
                forEachFrom(head, consumer);
            }
        });
    }

    /**
     * Returns a view of an index of strings for code that wants a {@link Map}; it makes garbage. Its size ends at
     * {@link Integer#MAX_VALUE}.
     */
    public Map<String, Long> asMap() {
        return new StringLongMapView(this, heads);
    }

    /** Returns what another thread reads with. */
    public BytesLongReader reader() {
        return new BytesLongReader(this, heads.reader(), records);
    }

    /**
     * Makes what the index holds now what it opens with.
     *
     * @throws IOException if it cannot be written; the former commit stands
     * @throws IllegalStateException if the index is in native memory
     */
    public void commit() throws IOException {
        long sum = records.seal();
        heads.put(COMMIT, records.commit());
        heads.put(END, records.end());
        heads.put(SUM, sum);
        heads.commit();
        records.sealed(sum);
    }

    /** Gives the memory back. What was not committed is lost. No other thread may read any more. */
    @Override
    public void close() {
        heads.close();
        records.close();
    }

    long fingerprint(MemorySegment memory, long offset, int length) {
        long print = hash.of(memory, offset, length);
        return print >>> 4 == 0 ? print + RESERVED : print;
    }

    void forEachFrom(long head, KeyConsumer consumer) {
        for (long address = head; address != KeyRecords.NONE; ) {
            MemorySegment m = records.memory(address);
            long at = KeyRecords.offset(address);
            address = KeyRecord.next(m, at);
            consumer.accept(m, at + KeyRecord.HEADER, KeyRecord.length(m, at), KeyRecord.value(m, at));
        }
    }

    static String string(MemorySegment memory, long offset, int length) {
        return new String(memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    private long find(long head, MemorySegment key, long offset, int length) {
        long address = head == NO_HEAD ? KeyRecords.NONE : head;
        while (address != KeyRecords.NONE) {
            MemorySegment m = records.memory(address);
            long at = KeyRecords.offset(address);
            if (KeyRecord.hasKey(m, at, key, offset, length)) {
                return address;
            }
            address = KeyRecord.next(m, at);
        }
        return KeyRecords.NONE;
    }

    private long value(long address) {
        return KeyRecord.value(records.memory(address), KeyRecords.offset(address));
    }

    /** Puts another record, or what comes after it, in the place of one in its chain. */
    private void replace(long print, long head, long address, long by) {
        lead(print, head, without(head, address, by));
        gone.push(address);
        while (!gone.isEmpty()) {
            records.remove(gone.pop());
        }
    }

    /** Returns the head of the chain: records before it that were committed are copied, as their next changes. */
    private long without(long from, long address, long by) {
        if (from == address) {
            return by;
        }
        MemorySegment m = records.memory(from);
        long at = KeyRecords.offset(from);
        long next = without(KeyRecord.next(m, at), address, by);
        if (records.isFresh(from)) {
            KeyRecord.setNext(m, at, next);
            return from;
        }
        if (next == KeyRecord.next(m, at)) {
            return from;
        }
        gone.push(from);
        return records.add(next, KeyRecord.value(m, at), m, at + KeyRecord.HEADER, KeyRecord.length(m, at));
    }

    private void lead(long print, long formerHead, long head) {
        if (head == KeyRecords.NONE) {
            heads.remove(print);
        } else if (head != formerHead) {
            heads.put(print, head);
        }
    }
}
