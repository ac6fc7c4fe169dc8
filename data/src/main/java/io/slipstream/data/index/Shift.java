package io.slipstream.data.index;

import java.lang.foreign.MemorySegment;

/** What moves entries within and between pages. */
final class Shift {
    private Shift() {}

    /** Adds a key that is not there. */
    static void insert(MemorySegment memory, long page, int mask, long key, long value, KeyHash hash) {
        int bucket = (int) hash.of(key) & mask;
        long at = page + ((long) bucket << Bucket.SHIFT);
        int free = Bucket.free(memory, at);
        while (free == Bucket.NONE) {
            bucket = bucket + 1 & mask;
            at = page + ((long) bucket << Bucket.SHIFT);
            free = Bucket.free(memory, at);
        }
        Memory.putLong(memory, at + free, key);
        Memory.putLong(memory, at + Bucket.VALUES + free, value);
    }

    /**
     * Fills the hole at key {@code slot} of {@code bucket}: by the last entry of the bucket, and, if the bucket was
     * full, by one from a later bucket that began at this one or before; then there is a hole there.
     */
    static void fillHole(MemorySegment memory, long page, int mask, int bucket, int slot, KeyHash hash) {
        int hole = bucket;
        int holeSlot = slot;
        while (true) {
            long at = page + ((long) hole << Bucket.SHIFT);
            int free = Bucket.free(memory, at);
            boolean wasFull = free == Bucket.NONE;
            int last = wasFull ? Bucket.LAST : free - Long.BYTES;
            move(memory, at, last, at, holeSlot);
            if (!wasFull) {
                return;
            }
            int next = hole;
            int candidate = -1;
            while (candidate < 0) {
                next = next + 1 & mask;
                candidate = displaced(memory, page, mask, next, hole, hash);
                if (candidate < 0 && !Bucket.isFull(memory, page + ((long) next << Bucket.SHIFT))) {
                    return;
                }
            }
            long from = page + ((long) next << Bucket.SHIFT);
            copy(memory, from, candidate, at, Bucket.LAST);
            hole = next;
            holeSlot = candidate;
        }
    }

    /** Returns the slot of an entry of {@code bucket} whose probing began at {@code hole} or before, or -1. */
    private static int displaced(MemorySegment memory, long page, int mask, int bucket, int hole, KeyHash hash) {
        long at = page + ((long) bucket << Bucket.SHIFT);
        int distance = bucket - hole & mask;
        for (int slot = 0; slot <= Bucket.LAST; slot += Long.BYTES) {
            long key = Memory.getLong(memory, at + slot);
            if (key == 0) {
                return -1;
            }
            if ((bucket - (int) hash.of(key) & mask) >= distance) {
                return slot;
            }
        }
        return -1;
    }

    /** Copies an entry over another one, and clears it. They may be the same. */
    private static void move(MemorySegment memory, long from, int fromSlot, long to, int toSlot) {
        copy(memory, from, fromSlot, to, toSlot);
        Memory.putLong(memory, from + fromSlot, 0);
        Memory.putLong(memory, from + Bucket.VALUES + fromSlot, 0);
    }

    private static void copy(MemorySegment memory, long from, int fromSlot, long to, int toSlot) {
        Memory.putLong(memory, to + toSlot, Memory.getLong(memory, from + fromSlot));
        Memory.putLong(memory, to + Bucket.VALUES + toSlot, Memory.getLong(memory, from + Bucket.VALUES + fromSlot));
    }

    /** Moves the entries whose hash has {@code bit} to an empty page, closes the gaps, and returns how many moved. */
    static int split(
            MemorySegment from,
            long fromPage,
            MemorySegment to,
            long toPage,
            int mask,
            long bit,
            KeyHash hash,
            MemorySegment page) {
        long bytes = (mask + 1L) << Bucket.SHIFT;
        MemorySegment.copy(from, fromPage, page, 0, bytes);
        from.asSlice(fromPage, bytes).fill((byte) 0);
        to.asSlice(toPage, bytes).fill((byte) 0);
        int moved = 0;
        for (long at = 0; at < bytes; at += Bucket.BYTES) {
            for (int i = 0; i < Bucket.VALUES; i += Long.BYTES) {
                long key = Memory.getLong(page, at + i);
                if (key == 0) {
                    break;
                }
                long value = Memory.getLong(page, at + Bucket.VALUES + i);
                if ((hash.of(key) & bit) != 0) {
                    insert(to, toPage, mask, key, value, hash);
                    moved++;
                } else {
                    insert(from, fromPage, mask, key, value, hash);
                }
            }
        }
        return moved;
    }
}
