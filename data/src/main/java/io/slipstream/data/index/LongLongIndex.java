package io.slipstream.data.index;

import io.slipstream.data.CommitLevel;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A map from {@code long} to {@code long} outside the heap, in native memory or in a folder of mapped files. Also the
 * map from a key to the row of a huge list, as rows are {@code long}.
 *
 * <p>It needs no guess of its size and grows by a page at a time: no call does more than a page of work. Where keys
 * go is decided by a secret of each index, so that nobody can choose keys that meet.
 *
 * <p>One thread, the owner, calls all methods; others read through {@link #reader}. One value, the missing value,
 * stands for no entry and cannot be put. Nothing here makes garbage but growth, in pages.
 *
 * <p>A mapped index opens again as it was at the last {@link #commit}, also after the process was killed: pages that
 * were committed are not written again but copied first. Only a commit with {@link CommitLevel#SYNC} forces its files
 * to the device: after another one, a loss of power may take them; then it is refused.
 */
public final class LongLongIndex implements AutoCloseable {
    private static final VarHandle ZERO_VALUE;

    static {
        try {
            ZERO_VALUE = MethodHandles.lookup().findVarHandle(LongLongIndex.class, "zeroValue", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final LongTable table;
    private final long missing;
    private final @Nullable IndexFolder folder;
    private long zeroValue;

    LongLongIndex(LongTable table, long missing, long zeroValue, @Nullable IndexFolder folder) {
        this.table = table;
        this.missing = missing;
        this.zeroValue = zeroValue;
        this.folder = folder;
    }

    /** Creates an empty index in native memory. */
    public static LongLongIndex inMemory(long missing) {
        return inMemory(missing, PageSize.IN_MEMORY, KeyHash.random());
    }

    static LongLongIndex inMemory(long missing, PageSize size, KeyHash hash) {
        return new LongLongIndex(
                new LongTable(PageStore.ofMemory(), hash, size.buckets(), size.pagesInSlab()), missing, missing, null);
    }

    /**
     * Creates an empty index in {@code folder}, which must not hold one, and commits it.
     *
     * @throws IOException if the folder holds an index, cannot be written, or the disk is full
     */
    public static LongLongIndex create(Path folder, long missing) throws IOException {
        return IndexFolder.create(folder, missing, PageSize.MAPPED);
    }

    /**
     * Opens the index in {@code folder} as it was at its last commit, and takes it for this process alone.
     *
     * @throws IOException if there is none, another process has it, or it is damaged: the message says in which file
     *         and where
     */
    public static LongLongIndex open(Path folder) throws IOException {
        return IndexFolder.open(folder);
    }

    /** Returns the value of {@code key}, or the missing value. */
    public long get(long key) {
        return key == 0 ? zeroValue : table.get(key, missing);
    }

    /**
     * Sets each element of {@code values} to the value of the key at the same place, or to the missing value. It waits
     * for the entries of several keys at once: in an index that no cache holds, a key costs less than by {@link #get}.
     *
     * @throws IllegalArgumentException if {@code values} is {@code keys} itself, or not as long
     */
    public void getAll(long[] keys, long[] values) {
        KeyBatch.require(keys, values);
        for (int from = 0; from < keys.length; from += KeyBatch.KEYS) {
            int to = Math.min(from + KeyBatch.KEYS, keys.length);
            table.load(keys, values, from, to);
            for (int i = from; i < to; i++) {
                values[i] = get(keys[i]);
            }
        }
    }

    /** Returns whether there is an entry for {@code key}. */
    public boolean containsKey(long key) {
        return get(key) != missing;
    }

    /**
     * Sets the value of {@code key} and returns the former one, or the missing value.
     *
     * @throws IllegalArgumentException if {@code value} is the missing value
     * @throws java.io.UncheckedIOException if a mapped index had to grow and the disk is full; the index is
     * as before
     */
    public long put(long key, long value) {
        if (value == missing) {
            throw new IllegalArgumentException(
                    value + " stands for no entry in this index; remove the key, or choose another missing value");
        }
        if (key == 0) {
            return setZero(value);
        }
        return table.put(key, value, missing);
    }

    /** Removes {@code key} and returns its value, or the missing value. */
    public long remove(long key) {
        return key == 0 ? setZero(missing) : table.remove(key, missing);
    }

    /** Returns the number of entries. */
    public long size() {
        return table.size() + (zeroValue == missing ? 0 : 1);
    }

    /** Returns the value that stands for no entry. */
    public long missing() {
        return missing;
    }

    /** Returns the bytes of native memory, or of files, that the index takes. */
    public long memoryBytes() {
        return table.memoryBytes();
    }

    /** Calls {@code consumer} with every entry, in no order; it must not change the index. */
    public void forEach(EntryConsumer consumer) {
        if (zeroValue != missing) {
            consumer.accept(0, zeroValue);
        }
        table.forEach(consumer);
    }

    /** Returns a view for code that wants a {@link Map}; it boxes. Its size ends at {@link Integer#MAX_VALUE}. */
    public Map<Long, Long> asMap() {
        return new LongLongMapView(this, table);
    }

    /** Returns what another thread reads with; a reader may be shared. */
    public LongLongReader reader() {
        return new LongLongReader(this, table);
    }

    /**
     * Makes what the index holds now what it opens with.
     *
     * @throws IOException if it cannot be written; the former commit stands
     * @throws IllegalStateException if the index is in native memory
     */
    public void commit() throws IOException {
        commit(CommitLevel.PROCESS);
    }

    /**
     * Makes what the index holds now what it opens with, and with {@link CommitLevel#SYNC} also after a loss of power.
     * A later commit without it is not forced, so a loss of power can damage the index again.
     *
     * @throws IOException if it cannot be written; the former commit stands
     * @throws IllegalStateException if the index is in native memory
     */
    public void commit(CommitLevel level) throws IOException {
        if (folder == null) {
            throw new IllegalStateException("this index is in native memory; create it in a folder to commit it");
        }
        folder.commit(table, missing, zeroValue, level);
    }

    /** Gives the memory back. What was not committed is lost. No other thread may read any more. */
    @Override
    public void close() {
        table.close();
    }

    long zeroValueOpaque() {
        return (long) ZERO_VALUE.getOpaque(this);
    }

    private long setZero(long value) {
        long former = zeroValue;
        ZERO_VALUE.setRelease(this, value);
        return former;
    }
}
