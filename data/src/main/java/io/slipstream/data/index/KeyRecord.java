package io.slipstream.data.index;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.zip.CRC32C;

/**
 * A key and its value in memory, at a multiple of eight bytes.
 *
 * <pre>
 *    0      4          8      16      24     28       30         32
 *   | died | checksum | next | value | born | length | capacity | key, then zeros up to the capacity ...
 *
 *   born, died: the commits with which it came and went; died is 0 while it lives
 *   checksum:   CRC-32C of all behind it
 *   next:       where another key with the same hash of 64 bits lies, or 0
 *   capacity:   of the key, in words of eight bytes; it never changes
 * </pre>
 */
final class KeyRecord {
    static final int HEADER = 32;
    static final int MAX_KEY = 32_760;

    private static final int CHECKSUM = 4;
    private static final int NEXT = 8;
    private static final int VALUE = 16;
    private static final int BORN = 24;
    private static final int LENGTHS = 28;

    private KeyRecord() {}

    /** Returns the words that a key takes; there is no key without any. */
    static int words(int length) {
        return Math.max(1, length + 7 >>> 3);
    }

    static int died(MemorySegment m, long at) {
        return Memory.getInt(m, at);
    }

    static void setDied(MemorySegment m, long at, int commit) {
        Memory.putInt(m, at, commit);
    }

    static int checksum(MemorySegment m, long at) {
        return Memory.getInt(m, at + CHECKSUM);
    }

    static void setChecksum(MemorySegment m, long at, int checksum) {
        Memory.putInt(m, at + CHECKSUM, checksum);
    }

    static long next(MemorySegment m, long at) {
        return Memory.getLongAcquire(m, at + NEXT);
    }

    static void setNext(MemorySegment m, long at, long next) {
        Memory.putLongRelease(m, at + NEXT, next);
    }

    static long value(MemorySegment m, long at) {
        return Memory.getLongOpaque(m, at + VALUE);
    }

    static void setValue(MemorySegment m, long at, long value) {
        Memory.putLongRelease(m, at + VALUE, value);
    }

    static int born(MemorySegment m, long at) {
        return Memory.getInt(m, at + BORN);
    }

    static void setBorn(MemorySegment m, long at, int commit) {
        Memory.putInt(m, at + BORN, commit);
    }

    static int length(MemorySegment m, long at) {
        return Memory.getInt(m, at + LENGTHS) & 0xffff;
    }

    /** Returns the capacity in words; 0 where there is no record. */
    static int capacity(MemorySegment m, long at) {
        return Memory.getInt(m, at + LENGTHS) >>> 16;
    }

    /**
     * Writes a record, perhaps into the place of one that has died. A process may be killed at any moment of it: what
     * is there is either dead still or of a commit that was not made, and so nobody takes it for a record.
     */
    static void write(
            MemorySegment m, long at, long next, long value, int born, MemorySegment key, long offset, int length) {
        int words = words(length);
        setBorn(m, at, born);
        VarHandle.storeStoreFence();
        Memory.putLong(m, at + NEXT, next);
        Memory.putLong(m, at + VALUE, value);
        Memory.putInt(m, at + LENGTHS, length | words << 16);
        Memory.putLong(m, at + HEADER + (words - 1L) * Long.BYTES, 0);
        MemorySegment.copy(key, offset, m, at + HEADER, length);
        VarHandle.storeStoreFence();
        setDied(m, at, 0);
    }

    /** Marks the place of a record that was written and not committed as one that died with the last commit. */
    static void forget(MemorySegment m, long at, int lastCommit) {
        setDied(m, at, lastCommit);
        VarHandle.storeStoreFence();
        setBorn(m, at, 0);
    }

    static boolean hasKey(MemorySegment m, long at, MemorySegment key, long offset, int length) {
        if (length(m, at) != length) {
            return false;
        }
        long mine = at + HEADER;
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES) {
            if (Memory.getLong(m, mine + i) != Memory.getLong(key, offset + i)) {
                return false;
            }
        }
        return i == length || Memory.getLong(m, mine + i) == KeyHash.tail(key, offset + i, length - i);
    }

    static int computeChecksum(MemorySegment m, long at) {
        CRC32C crc = new CRC32C();
        crc.update(m.asSlice(at + NEXT, HEADER - NEXT + (long) capacity(m, at) * Long.BYTES)
                .asByteBuffer());
        return (int) crc.getValue();
    }
}
