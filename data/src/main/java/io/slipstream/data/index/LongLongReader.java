package io.slipstream.data.index;

import java.lang.invoke.VarHandle;

/**
 * Reads a {@link LongLongIndex} from any thread while its owner writes; takes no lock and makes no garbage.
 *
 * <p>Every answer was right at some moment of the call. While the owner removes keys of the same page without pause,
 * a call may take long.
 */
public final class LongLongReader {
    private final LongLongIndex index;
    private final TableReader table;

    LongLongReader(LongLongIndex index, LongTable table) {
        this.index = index;
        this.table = new TableReader(table);
    }

    /** Returns the value of {@code key}, or the missing value. */
    public long get(long key) {
        if (key == 0) {
            VarHandle.acquireFence();
            return index.zeroValueOpaque();
        }
        return table.get(key, index.missing());
    }

    /**
     * Does for many keys what {@link #get} does for one, as {@link LongLongIndex#getAll} does. Each answer was right at
     * some moment of the call, but not all at the same.
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
}
