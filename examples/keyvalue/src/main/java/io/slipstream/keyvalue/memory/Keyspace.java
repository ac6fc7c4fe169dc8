package io.slipstream.keyvalue.memory;

import io.slipstream.service.machine.Prefetching;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A hash table from keys to records outside the heap, for one thread.
 *
 * <pre>
 *   record   0 next   8 hash   12 type, key length   16 version   24 expiry (ms)   32 place in the queue of expiries
 *            36 value length   40 key, value
 * </pre>
 *
 * A slot is the highest bits of the hash, so going through the slots goes through the hashes in order, whatever the
 * size of the table: a cursor is a hash, and stays good while the table grows or shrinks, which moves a few slots with
 * each change.
 *
 * <p>What can be seen follows from the keys and their values alone: {@link #inOrder} does not tell how large the table
 * is or which key came first, {@link #firstExpiring} has one answer, and {@link #usedBytes} counts what is there. So a
 * table that was loaded from a snapshot goes on as the one that was saved.
 */
public final class Keyspace implements AutoCloseable {
    /** Where a key begins in its record. */
    public static final int KEY_OFFSET = 40;

    /** The version of a key that is not there. */
    public static final long NO_VERSION = 0;

    /** One more than the largest hash. */
    public static final long END = 1L << 32;

    private static final int HASH = 8;
    private static final int KEY_LENGTH = 12;
    private static final int VERSION = 16;
    private static final int EXPIRY = 24;
    private static final int EXPIRY_PLACE = 32;
    private static final int VALUE_LENGTH = 36;
    private static final int TYPE_SHIFT = 28;
    private static final int MAX_KEY_LENGTH = (1 << TYPE_SHIFT) - 1;
    private static final int FIRST_BITS = 10;
    private static final int MOST_BITS = 30;
    /* Even, so that two slots which become one are moved together. */
    private static final int SLOTS_MOVED = 4;
    private static final int SLOTS_MERGED = 32;
    /* A table shrinks once it has this many slots for each key. */
    private static final int SPARSE = 8;

    /* With fewer keys most of them are in the cache in any case. */
    private static final int CACHED = 1 << 13;
    private static final int EXPECTED = Prefetching.MOST;
    private static final int LINE_BYTES = 64;
    /* The processor sees by itself that a longer value is read on. */
    private static final int FETCHED_BYTES = 4 * LINE_BYTES;

    private final Pages pages = new Pages();
    private final SlabHeap heap = new SlabHeap(pages);
    private final ExpiryQueue expiries = new ExpiryQueue(this, pages);
    private Slots slots = new Slots(FIRST_BITS);
    private @Nullable Slots former;
    private long moved;
    private long count;
    private long before;
    private long[] ordered = new long[16];
    private final int[] expected = new int[EXPECTED];
    private final long[] fetched = new long[EXPECTED];
    private int expectedCount;
    /* What was read only to be in the cache; kept, so that the compiler does not leave the reading out. */
    private int touched;

    /** What a table of slots consists of: pieces that are made when they are first written. */
    private static final class Slots implements AutoCloseable {
        private static final int PIECE_BITS = 10;
        private final int bits;
        private final Pages pages = new Pages();
        private final @Nullable MemorySegment[] pieces;

        Slots(int bits) {
            this.bits = bits;
            this.pieces = new MemorySegment[1 << (bits - PIECE_BITS)];
            pages.expect((long) Long.BYTES << bits);
        }

        long slotOf(int hash) {
            return (hash & 0xFFFF_FFFFL) >>> (32 - bits);
        }

        long get(long slot) {
            MemorySegment piece = pieces[(int) (slot >>> PIECE_BITS)];
            return piece == null ? 0 : piece.getAtIndex(ValueLayout.JAVA_LONG, slot & ((1 << PIECE_BITS) - 1));
        }

        void set(long slot, long address) {
            int at = (int) (slot >>> PIECE_BITS);
            MemorySegment piece = pieces[at];
            if (piece == null) {
                piece = pages.allocate(8L << PIECE_BITS);
                pieces[at] = piece;
            }
            piece.setAtIndex(ValueLayout.JAVA_LONG, slot & ((1 << PIECE_BITS) - 1), address);
        }

        @Override
        public void close() {
            pages.close();
        }
    }

    /** Returns how many keys there are. */
    public long count() {
        return count;
    }

    /** Returns how many keys have an expiry. */
    public long expiring() {
        return expiries.count();
    }

    /** Returns the record that expires first, of those at the same time the first in the order of hashes; or 0. */
    public long firstExpiring() {
        return expiries.first();
    }

    /** Returns how many bytes the records take, and a table that is as large as these need. */
    public long usedBytes() {
        long places = Math.max(1L << FIRST_BITS, Long.highestOneBit(Math.max(1, 2 * count - 1)));
        return heap.usedBytes() + Long.BYTES * (places + expiries.count());
    }

    /** Returns how many bytes were taken from the system. */
    public long reservedBytes() {
        Slots old = former;
        return pages.bytes() + heap.ownBytes() + slots.pages.bytes() + (old == null ? 0 : old.pages.bytes());
    }

    /**
     * Prepares for so many keys where none is, and makes a table for them. Keys that come in the order of their hashes
     * would else all go into the first few slots of a table that grows with them.
     */
    void expect(long keys) {
        int bits = slots.bits;
        while (1L << bits < keys && bits < MOST_BITS) {
            bits++;
        }
        if (count != 0) {
            return;
        }
        pages.expect(keys * SlabHeap.blockBytes(KEY_OFFSET));
        if (bits > slots.bits) {
            closeSlots();
            slots = new Slots(bits);
        }
    }

    /** A key is asked for soon, or is not there; of too many at a time the last are forgotten. */
    void expectKey(MemorySegment memory, long offset, int length) {
        if (count > CACHED && expectedCount < EXPECTED) {
            expected[expectedCount++] = hash(memory, offset, length);
        }
    }

    /**
     * Brings the records of the keys that were expected into the cache. No loop uses what it has itself to wait for, so
     * the processor waits for all of them at once: for the slots, for the records there, and for their values and the
     * records behind those of other keys.
     */
    void prefetch() {
        int keys = expectedCount;
        expectedCount = 0;
        if (keys < 2) {
            return;
        }
        for (int i = 0; i < keys; i++) {
            Slots table = tableOf(expected[i]);
            fetched[i] = table.get(table.slotOf(expected[i]));
        }
        int sum = 0;
        for (int i = 0; i < keys; i++) {
            sum += fetched[i] == 0 ? 0 : byteOf(fetched[i], 0);
        }
        for (int i = 0; i < keys; i++) {
            long record = fetched[i];
            if (record != 0 && (int) hash(record) != expected[i]) {
                record = heap.memory(record).get(ValueLayout.JAVA_LONG, SlabHeap.offset(record));
                sum += record == 0 ? 0 : byteOf(record, 0);
            } else if (record != 0) {
                int last = Math.min(bytes(record) - 1, FETCHED_BYTES);
                for (int at = LINE_BYTES; at < last; at += LINE_BYTES) {
                    sum += byteOf(record, at);
                }
                sum += byteOf(record, last);
            }
        }
        touched += sum;
    }

    private byte byteOf(long record, int at) {
        return heap.memory(record).get(ValueLayout.JAVA_BYTE, SlabHeap.offset(record) + at);
    }

    /** Returns the record of a key, or 0. */
    public long find(MemorySegment memory, long offset, int length) {
        int hash = hash(memory, offset, length);
        long prior = 0;
        long at = tableOf(hash).get(tableOf(hash).slotOf(hash));
        while (at != 0) {
            MemorySegment in = heap.memory(at);
            long record = SlabHeap.offset(at);
            if (in.get(ValueLayout.JAVA_INT, record + HASH) == hash
                    && (in.get(ValueLayout.JAVA_INT, record + KEY_LENGTH) & MAX_KEY_LENGTH) == length
                    && isEqual(in, record + KEY_OFFSET, memory, offset, length)) {
                before = prior;
                return at;
            }
            prior = at;
            at = in.get(ValueLayout.JAVA_LONG, record);
        }
        return 0;
    }

    /**
     * Makes room for a value of {@code valueLength} bytes under a key, in place of the one that is there, whose expiry
     * stays. The content of the value is undefined, unless it keeps its length.
     *
     * @return the record
     */
    public long put(MemorySegment memory, long offset, int length, byte type, int valueLength, long version) {
        long old = find(memory, offset, length);
        int bytes = KEY_OFFSET + length + valueLength;
        if (old != 0) {
            int oldBytes = bytes(old);
            if (SlabHeap.sizeClass(oldBytes) != SlabHeap.sizeClass(bytes)) {
                old = move(old, oldBytes, bytes, length);
            }
        } else {
            old = insert(memory, offset, length, bytes);
        }
        MemorySegment in = heap.memory(old);
        long record = SlabHeap.offset(old);
        in.set(ValueLayout.JAVA_INT, record + KEY_LENGTH, length | type << TYPE_SHIFT);
        in.set(ValueLayout.JAVA_INT, record + VALUE_LENGTH, valueLength);
        in.set(ValueLayout.JAVA_LONG, record + VERSION, version);
        return old;
    }

    /** Removes a key; returns whether it was there. */
    public boolean remove(MemorySegment memory, long offset, int length) {
        long at = find(memory, offset, length);
        if (at == 0) {
            return false;
        }
        MemorySegment in = heap.memory(at);
        link(
                before,
                in.get(ValueLayout.JAVA_INT, SlabHeap.offset(at) + HASH),
                in.get(ValueLayout.JAVA_LONG, SlabHeap.offset(at)));
        if (expiry(at) != 0) {
            expiries.remove(at);
        }
        heap.free(at, bytes(at));
        count--;
        shrink();
        return true;
    }

    /** Forgets all keys. */
    public void clear() {
        heap.clear();
        expiries.clear();
        pages.close();
        closeSlots();
        slots = new Slots(FIRST_BITS);
        count = 0;
    }

    /** Gives all memory back to the system; nothing may follow. */
    @Override
    public void close() {
        heap.close();
        pages.close();
        closeSlots();
    }

    private void closeSlots() {
        slots.close();
        endMove();
    }

    private void endMove() {
        Slots old = former;
        if (old != null) {
            former = null;
            old.close();
        }
    }

    /** Returns the memory of a record; offsets in it are those of {@link #keyOffset} and {@link #valueOffset}. */
    public MemorySegment memory(long record) {
        return heap.memory(record);
    }

    /** Returns where the key of a record begins. */
    public long keyOffset(long record) {
        return SlabHeap.offset(record) + KEY_OFFSET;
    }

    /** Returns the length of the key of a record. */
    public int keyLength(long record) {
        return heap.memory(record).get(ValueLayout.JAVA_INT, SlabHeap.offset(record) + KEY_LENGTH) & MAX_KEY_LENGTH;
    }

    /** Returns where the value of a record begins. */
    public long valueOffset(long record) {
        return keyOffset(record) + keyLength(record);
    }

    /** Returns the length of the value of a record. */
    public int valueLength(long record) {
        return heap.memory(record).get(ValueLayout.JAVA_INT, SlabHeap.offset(record) + VALUE_LENGTH);
    }

    /** Returns the type that {@link #put} was given, from 0 to 15. */
    public byte type(long record) {
        return (byte)
                (heap.memory(record).get(ValueLayout.JAVA_INT, SlabHeap.offset(record) + KEY_LENGTH) >>> TYPE_SHIFT);
    }

    /** Returns the version of a record, which each change sets. */
    public long version(long record) {
        return heap.memory(record).get(ValueLayout.JAVA_LONG, SlabHeap.offset(record) + VERSION);
    }

    /** Sets the version of a record. */
    public void version(long record, long version) {
        heap.memory(record).set(ValueLayout.JAVA_LONG, SlabHeap.offset(record) + VERSION, version);
    }

    /** Returns when a record expires, in milliseconds since 1970; 0 for never. */
    public long expiry(long record) {
        return heap.memory(record).get(ValueLayout.JAVA_LONG, SlabHeap.offset(record) + EXPIRY);
    }

    /** Sets when a record expires, in milliseconds since 1970; 0 for never. */
    public void expiry(long record, long atMillis) {
        long former = expiry(record);
        heap.memory(record).set(ValueLayout.JAVA_LONG, SlabHeap.offset(record) + EXPIRY, atMillis);
        if (former == 0 && atMillis != 0) {
            expiries.add(record);
        } else if (former != 0 && atMillis == 0) {
            expiries.remove(record);
        } else if (former != atMillis) {
            expiries.changed(record);
        }
    }

    /** Returns where in the queue a record with an expiry is. */
    int expiryPlace(long record) {
        return heap.memory(record).get(ValueLayout.JAVA_INT, SlabHeap.offset(record) + EXPIRY_PLACE);
    }

    void expiryPlace(long record, int place) {
        heap.memory(record).set(ValueLayout.JAVA_INT, SlabHeap.offset(record) + EXPIRY_PLACE, place);
    }

    /** Returns the hash of a key, from 0 to {@link #END} - 1. */
    public long hash(long record) {
        return heap.memory(record).get(ValueLayout.JAVA_INT, SlabHeap.offset(record) + HASH) & 0xFFFF_FFFFL;
    }

    /** Compares keys by their hashes, and those of equal hashes by their bytes. */
    int compareKeys(long record, long other) {
        int byHash = Long.compare(hash(record), hash(other));
        if (byHash != 0 || record == other) {
            return byHash;
        }
        MemorySegment in = heap.memory(record);
        MemorySegment otherIn = heap.memory(other);
        long length = keyLength(record);
        long otherLength = keyLength(other);
        long differs = MemorySegment.mismatch(
                in,
                keyOffset(record),
                keyOffset(record) + length,
                otherIn,
                keyOffset(other),
                keyOffset(other) + otherLength);
        if (differs < 0 || differs == length || differs == otherLength) {
            return Long.compare(length, otherLength);
        }
        return Byte.compareUnsigned(
                in.get(ValueLayout.JAVA_BYTE, keyOffset(record) + differs),
                otherIn.get(ValueLayout.JAVA_BYTE, keyOffset(other) + differs));
    }

    /** Returns how many bytes a record takes, with its slot. */
    public int recordBytes(long record) {
        return SlabHeap.blockBytes(bytes(record)) + Long.BYTES;
    }

    /**
     * Looks up the records of the slot that holds the hash {@code cursor}, without those of lower hashes, and returns
     * how many there are. {@link #ordered} has them by hash and key, until the next call.
     */
    public int inOrder(long cursor) {
        int found = 0;
        Slots table = tableOf((int) cursor);
        for (long record = table.get(table.slotOf((int) cursor));
                record != 0;
                record = heap.memory(record).get(ValueLayout.JAVA_LONG, SlabHeap.offset(record))) {
            if (hash(record) < cursor) {
                continue;
            }
            if (found == ordered.length) {
                ordered = Arrays.copyOf(ordered, 2 * found);
            }
            int place = found++;
            for (; place > 0 && compareKeys(ordered[place - 1], record) > 0; place--) {
                ordered[place] = ordered[place - 1];
            }
            ordered[place] = record;
        }
        return found;
    }

    /** Returns a record that {@link #inOrder} has found, by its place from 0 on. */
    public long ordered(int place) {
        return ordered[place];
    }

    /** Returns the cursor of the slot behind that of {@code cursor}; {@link #END} behind the last. */
    public long nextSlot(long cursor) {
        Slots table = tableOf((int) cursor);
        return (table.slotOf((int) cursor) + 1) << (32 - table.bits);
    }

    private Slots tableOf(int hash) {
        Slots old = former;
        return old != null && old.slotOf(hash) >= moved ? old : slots;
    }

    private int bytes(long record) {
        return KEY_OFFSET + keyLength(record) + valueLength(record);
    }

    private long insert(MemorySegment memory, long offset, int length, int bytes) {
        grow();
        int hash = hash(memory, offset, length);
        long at = heap.allocate(bytes);
        MemorySegment in = heap.memory(at);
        long record = SlabHeap.offset(at);
        in.set(ValueLayout.JAVA_INT, record + HASH, hash);
        in.set(ValueLayout.JAVA_INT, record + KEY_LENGTH, length);
        in.set(ValueLayout.JAVA_LONG, record + EXPIRY, 0);
        MemorySegment.copy(memory, offset, in, record + KEY_OFFSET, length);
        Slots table = tableOf(hash);
        in.set(ValueLayout.JAVA_LONG, record, table.get(table.slotOf(hash)));
        table.set(table.slotOf(hash), at);
        count++;
        return at;
    }

    private long move(long old, int oldBytes, int bytes, int keyLength) {
        long at = heap.allocate(bytes);
        MemorySegment.copy(
                heap.memory(old),
                SlabHeap.offset(old),
                heap.memory(at),
                SlabHeap.offset(at),
                Math.min(oldBytes, KEY_OFFSET + keyLength + Math.max(0, bytes - KEY_OFFSET - keyLength)));
        link(before, heap.memory(at).get(ValueLayout.JAVA_INT, SlabHeap.offset(at) + HASH), at);
        if (expiry(at) != 0) {
            expiries.moved(at);
        }
        heap.free(old, oldBytes);
        return at;
    }

    /** Lets the record {@code prior}, or the slot of {@code hash} if that is 0, refer to {@code to}. */
    private void link(long prior, int hash, long to) {
        if (prior == 0) {
            Slots table = tableOf(hash);
            table.set(table.slotOf(hash), to);
        } else {
            heap.memory(prior).set(ValueLayout.JAVA_LONG, SlabHeap.offset(prior), to);
        }
    }

    private void grow() {
        if (former == null && count >= 1L << slots.bits && slots.bits < MOST_BITS) {
            resize(slots.bits + 1);
        }
        moveSome();
    }

    /** Keeps the slots in proportion to the keys, so that going through them takes a time in proportion, too. */
    private void shrink() {
        if (former == null && SPARSE * count < 1L << slots.bits && slots.bits > FIRST_BITS) {
            resize(slots.bits - 1);
        }
        moveSome();
    }

    private void resize(int bits) {
        former = slots;
        slots = new Slots(bits);
        moved = 0;
    }

    private void moveSome() {
        Slots old = former;
        if (old == null) {
            return;
        }
        int steps = old.bits < slots.bits ? SLOTS_MOVED : SLOTS_MERGED;
        for (int i = 0; i < steps; i++) {
            long at = old.get(moved);
            while (at != 0) {
                MemorySegment in = heap.memory(at);
                long record = SlabHeap.offset(at);
                long next = in.get(ValueLayout.JAVA_LONG, record);
                long slot = slots.slotOf(in.get(ValueLayout.JAVA_INT, record + HASH));
                in.set(ValueLayout.JAVA_LONG, record, slots.get(slot));
                slots.set(slot, at);
                at = next;
            }
            if (++moved == 1L << old.bits) {
                endMove();
                return;
            }
        }
    }

    private static boolean isEqual(MemorySegment a, long aOffset, MemorySegment b, long bOffset, int length) {
        int at = 0;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            if (a.get(ValueLayout.JAVA_LONG_UNALIGNED, aOffset + at)
                    != b.get(ValueLayout.JAVA_LONG_UNALIGNED, bOffset + at)) {
                return false;
            }
        }
        for (; at < length; at++) {
            if (a.get(ValueLayout.JAVA_BYTE, aOffset + at) != b.get(ValueLayout.JAVA_BYTE, bOffset + at)) {
                return false;
            }
        }
        return true;
    }

    private static int hash(MemorySegment memory, long offset, int length) {
        long hash = length;
        int at = 0;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            hash = mix(hash ^ memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + at));
        }
        long rest = 0;
        for (; at < length; at++) {
            rest = rest << 8 | memory.get(ValueLayout.JAVA_BYTE, offset + at) & 0xFF;
        }
        return (int) (mix(hash ^ rest) >>> 32);
    }

    private static long mix(long value) {
        long mixed = value * 0x9E37_79B9_7F4A_7C15L;
        mixed ^= mixed >>> 32;
        mixed *= 0xD6E8_FEB8_6659_FD93L;
        return mixed ^ mixed >>> 29;
    }
}
