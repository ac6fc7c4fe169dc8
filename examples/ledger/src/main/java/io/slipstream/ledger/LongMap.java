package io.slipstream.ledger;

import io.slipstream.service.machine.StateOutput;
import java.util.Arrays;
import java.util.function.IntToLongFunction;

/** A map of longs to rows, by linear probing, that grows by doubling. There is no removing. */
final class LongMap {
    static final int MISSING = -1;

    private long[] keys = new long[1 << 10];
    private int[] rows = new int[1 << 10];
    private int size;

    LongMap() {
        Arrays.fill(rows, MISSING);
    }

    int get(long key) {
        return rows[slot(keys, rows, key)];
    }

    /** Adds a key that is not there. */
    void put(long key, int row) {
        if (2 * ++size > keys.length) {
            grow();
        }
        int slot = slot(keys, rows, key);
        keys[slot] = key;
        rows[slot] = row;
    }

    /** Writes the keys that are not the id of their row, with their rows. */
    void saveOthers(StateOutput output, IntToLongFunction idOf) {
        int others = 0;
        for (int i = 0; i < keys.length; i++) {
            others += rows[i] != MISSING && idOf.applyAsLong(rows[i]) != keys[i] ? 1 : 0;
        }
        output.writeInt(others);
        for (int i = 0; i < keys.length; i++) {
            if (rows[i] != MISSING && idOf.applyAsLong(rows[i]) != keys[i]) {
                output.writeLong(keys[i]);
                output.writeInt(rows[i]);
            }
        }
    }

    private void grow() {
        long[] moreKeys = new long[2 * keys.length];
        int[] moreRows = new int[2 * keys.length];
        Arrays.fill(moreRows, MISSING);
        for (int i = 0; i < keys.length; i++) {
            if (rows[i] != MISSING) {
                int slot = slot(moreKeys, moreRows, keys[i]);
                moreKeys[slot] = keys[i];
                moreRows[slot] = rows[i];
            }
        }
        keys = moreKeys;
        rows = moreRows;
    }

    private static int slot(long[] keys, int[] rows, long key) {
        int mask = keys.length - 1;
        int slot = (int) Hash.mix(key) & mask;
        while (rows[slot] != MISSING && keys[slot] != key) {
            slot = slot + 1 & mask;
        }
        return slot;
    }
}
