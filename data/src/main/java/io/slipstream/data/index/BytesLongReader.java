package io.slipstream.data.index;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * Reads a {@link BytesLongIndex} from another thread while its owner writes; takes no lock. For one thread: each takes
 * a reader of its own.
 *
 * <p>Every answer was right at some moment of the call. While the owner replaces keys without pause, a call may take
 * long.
 */
public final class BytesLongReader {
    private static final int MAX_HOPS = 64;

    private final BytesLongIndex index;
    private final LongLongReader heads;
    private final KeyRecords records;
    private final KeyText text = new KeyText();

    BytesLongReader(BytesLongIndex index, LongLongReader heads, KeyRecords records) {
        this.index = index;
        this.heads = heads;
        this.records = records;
    }

    /** Returns the value of a key that lies in {@code memory}, or the missing value. */
    public long get(MemorySegment memory, long offset, int length) {
        long print = index.fingerprint(memory, offset, length);
        while (true) {
            long version = records.versionAcquire();
            if ((version & 1) == 0) {
                long value = find(print, memory, offset, length);
                VarHandle.acquireFence();
                if (records.versionOpaque() == version) {
                    return value;
                }
            }
            Thread.onSpinWait();
        }
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

    /** Places that are used again meanwhile may lead in a circle; then the version has changed. */
    private long find(long print, MemorySegment key, long offset, int length) {
        long address = heads.get(print);
        for (int hop = 0; address != BytesLongIndex.NO_HEAD && address != KeyRecords.NONE && hop < MAX_HOPS; hop++) {
            MemorySegment m = records.memory(address);
            long at = KeyRecords.offset(address);
            if (KeyRecord.hasKey(m, at, key, offset, length)) {
                return KeyRecord.value(m, at);
            }
            address = KeyRecord.next(m, at);
        }
        return index.missing();
    }
}
