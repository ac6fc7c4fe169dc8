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
 *   record              0 next   8 hash   12 type, whether it expires, key length   16 version   24 value length
 *   one that expires   28 place in the queue of expiries   32 expiry (ms)   40 key, value
 *   any other          28 key, value
 * </pre>
 *
 * A slot is the highest bits of the hash, so going through the slots goes through the hashes in order, whatever the
 * size of the table: a cursor is a hash, and stays good while the table grows or shrinks, which moves a few slots with
 * each change.
 *
 * <p>What can be seen follows from the keys and their values alone: {@link #inOrder} does not tell how large the table
 * is or which key came first, {@link #firstExpiring} has one answer, and {@link #usedBytes} counts what is there: each
 * record as if it expired, as it may at any time. So a table that was loaded from a snapshot goes on as the one that
 * was saved.
 */
public final class Keyspace implements AutoCloseable {
    /** The version of a key that is not there. */
    public static final long NO_VERSION = 0;

    /** One more than the largest hash. */
    public static final long END = 1L << 32;

    private static final int HASH = 8;
    private static final int KIND = 12;
    private static final int VERSION = 16;
    private static final int VALUE_LENGTH = 24;
    private static final int EXPIRY_PLACE = 28;
    private static final int EXPIRY = 32;
    private static final int HEADER_BYTES = 28;
    private static final int EXPIRING_HEADER_BYTES = 40;
    private static final int TYPE_SHIFT = 28;
    private static final int EXPIRES = 1 << 27;
    private static final int MAX_KEY_LENGTH = EXPIRES - 1;
    private static final int FIRST_BITS = 10;
    private static final int MOST_BITS = 30;
    private static final int SLOTS_MOVED = 4;
    private static final int SLOTS_MERGED = 32;
    /* Even, so that two slots which become one are moved together. */
    private static final int MOVED_AT_ONCE = 16;
    /* A table shrinks once it has this many slots for each key. */
    private static final int SPARSE = 8;

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
    private int toMove;
    private long count;
    private long counted;
    private long before;
    private long[] ordered = new long[16];
    private final int[] expected = new int[EXPECTED];
    private final long[] fetched = new long[EXPECTED];
    private int expectedCount;
    /* What was read only to be in the cache; kept, so that the compiler does not leave the reading out. */
    private int touched;

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

    /** Returns how many bytes the records take, if all expire, and a table that is as large as these need. */
    public long usedBytes() {
        long places = Math.max(1L << FIRST_BITS, Long.highestOneBit(Math.max(1, 2 * count - 1)));
        return counted + Long.BYTES * (places + expiries.count());
    }

    /** Returns how many bytes were taken from the system. */
    public long reservedBytes() {
        Slots old = former;
        return pages.bytes() + heap.ownBytes() + slots.reservedBytes() + (old == null ? 0 : old.reservedBytes());
    }

    /**
     * Prepares for so many keys where none is, and makes a table for them. Keys that come in the order of their hashes
     * would else all go into the first few slots of a table that grows with them.
     */
    void expect(long keys) {
        int bits = slots.bits();
        while (1L << bits < keys && bits < MOST_BITS) {
            bits++;
        }
        if (count != 0) {
            return;
        }
        pages.expect(keys * SlabHeap.blockBytes(HEADER_BYTES));
        if (bits > slots.bits()) {
            closeSlots();
            slots = new Slots(bits);
        }
    }

    /** Returns whether there are so few keys that most are in the cache in any case. */
    boolean isCached() {
        return count <= CACHED;
    }

    /** A key is asked for soon, or is not there; of too many at a time the last are forgotten. */
    void expectKey(MemorySegment memory, long offset, int length) {
        if (!isCached() && expectedCount < EXPECTED) {
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
        int sum = firstBytes(keys);
        for (int i = 0; i < keys; i++) {
            long record = fetched[i];
            if (record != 0 && (int) hash(record) != expected[i]) {
                record = next(record);
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

    /** Returns the sum of the first bytes of so many records of those that are fetched. */
    private int firstBytes(int records) {
        int sum = 0;
        for (int i = 0; i < records; i++) {
            sum += fetched[i] == 0 ? 0 : byteOf(fetched[i], 0);
        }
        return sum;
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
            if (in.get(ValueLayout.JAVA_INT, record + HASH) == hash) {
                int kind = in.get(ValueLayout.JAVA_INT, record + KIND);
                if ((kind & MAX_KEY_LENGTH) == length
                        && isEqual(in, record + headerBytes(kind), memory, offset, length)) {
                    before = prior;
                    return at;
                }
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
        int expires = 0;
        int formerBytes = 0;
        if (old != 0) {
            formerBytes = countedBytes(old);
            expires = kind(old) & EXPIRES;
            int oldBytes = bytes(old);
            int bytes = headerBytes(expires) + length + valueLength;
            if (SlabHeap.sizeClass(oldBytes) != SlabHeap.sizeClass(bytes)) {
                old = move(old, oldBytes, bytes);
            }
        } else {
            old = insert(memory, offset, length, HEADER_BYTES + length + valueLength);
        }
        MemorySegment in = heap.memory(old);
        long record = SlabHeap.offset(old);
        in.set(ValueLayout.JAVA_INT, record + KIND, length | expires | type << TYPE_SHIFT);
        in.set(ValueLayout.JAVA_INT, record + VALUE_LENGTH, valueLength);
        in.set(ValueLayout.JAVA_LONG, record + VERSION, version);
        counted += countedBytes(old) - formerBytes;
        return old;
    }

    /** Removes a key; returns whether it was there. */
    public boolean remove(MemorySegment memory, long offset, int length) {
        long at = find(memory, offset, length);
        if (at == 0) {
            return false;
        }
        link(before, (int) hash(at), next(at));
        if (expires(at)) {
            expiries.remove(at);
        }
        counted -= countedBytes(at);
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
        counted = 0;
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
        return SlabHeap.offset(record) + headerBytes(kind(record));
    }

    /** Returns the length of the key of a record. */
    public int keyLength(long record) {
        return kind(record) & MAX_KEY_LENGTH;
    }

    /** Returns where the value of a record begins. */
    public long valueOffset(long record) {
        int kind = kind(record);
        return SlabHeap.offset(record) + headerBytes(kind) + (kind & MAX_KEY_LENGTH);
    }

    /** Returns the length of the value of a record. */
    public int valueLength(long record) {
        return heap.memory(record).get(ValueLayout.JAVA_INT, SlabHeap.offset(record) + VALUE_LENGTH);
    }

    /** Returns the type that {@link #put} was given, from 0 to 15. */
    public byte type(long record) {
        return (byte) (kind(record) >>> TYPE_SHIFT);
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
        return expires(record) ? heap.memory(record).get(ValueLayout.JAVA_LONG, SlabHeap.offset(record) + EXPIRY) : 0;
    }

    /**
     * Sets when a record expires, in milliseconds since 1970; 0 for never.
     *
     * @return the record, which is another one if it expires now and did not before, or the other way round
     */
    public long expiry(long record, long atMillis) {
        if (!expires(record)) {
            if (atMillis == 0) {
                return record;
            }
            long expiring = exchange(record, EXPIRES);
            setExpiry(expiring, atMillis);
            expiries.add(expiring);
            return expiring;
        }
        if (atMillis == 0) {
            expiries.remove(record);
            return exchange(record, 0);
        }
        if (expiry(record) != atMillis) {
            setExpiry(record, atMillis);
            expiries.changed(record);
        }
        return record;
    }

    private void setExpiry(long record, long atMillis) {
        heap.memory(record).set(ValueLayout.JAVA_LONG, SlabHeap.offset(record) + EXPIRY, atMillis);
    }

    /** Puts a record with room for an expiry, or without, in the place of one that is otherwise; returns it. */
    private long exchange(long old, int expires) {
        int kind = kind(old) & ~EXPIRES | expires;
        int content = (kind & MAX_KEY_LENGTH) + valueLength(old);
        long to = heap.allocate(headerBytes(kind) + content);
        MemorySegment in = heap.memory(to);
        MemorySegment.copy(heap.memory(old), SlabHeap.offset(old), in, SlabHeap.offset(to), HEADER_BYTES);
        in.set(ValueLayout.JAVA_INT, SlabHeap.offset(to) + KIND, kind);
        MemorySegment.copy(heap.memory(old), keyOffset(old), in, keyOffset(to), content);
        link(prior(old), (int) hash(old), to);
        heap.free(old, bytes(old));
        return to;
    }

    /** Returns the record in front of one in its slot, or 0. */
    private long prior(long record) {
        int hash = (int) hash(record);
        long prior = 0;
        for (long at = tableOf(hash).get(tableOf(hash).slotOf(hash)); at != record; at = next(at)) {
            prior = at;
        }
        return prior;
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

    /** Returns how many bytes a record takes if it expires, with its slot. */
    public int recordBytes(long record) {
        return countedBytes(record) + Long.BYTES;
    }

    /**
     * Looks up the records of the slot that holds the hash {@code cursor}, without those of lower hashes, and returns
     * how many there are. {@link #ordered} has them by hash and key, until the next call.
     */
    public int inOrder(long cursor) {
        int found = 0;
        Slots table = tableOf((int) cursor);
        for (long record = table.get(table.slotOf((int) cursor)); record != 0; record = next(record)) {
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
        return (table.slotOf((int) cursor) + 1) << (32 - table.bits());
    }

    private Slots tableOf(int hash) {
        Slots old = former;
        return old != null && old.slotOf(hash) >= moved ? old : slots;
    }

    private long next(long record) {
        return heap.memory(record).get(ValueLayout.JAVA_LONG, SlabHeap.offset(record));
    }

    private int kind(long record) {
        return heap.memory(record).get(ValueLayout.JAVA_INT, SlabHeap.offset(record) + KIND);
    }

    private boolean expires(long record) {
        return (kind(record) & EXPIRES) != 0;
    }

    private static int headerBytes(int kind) {
        return (kind & EXPIRES) == 0 ? HEADER_BYTES : EXPIRING_HEADER_BYTES;
    }

    private int bytes(long record) {
        int kind = kind(record);
        return headerBytes(kind) + (kind & MAX_KEY_LENGTH) + valueLength(record);
    }

    private int countedBytes(long record) {
        return SlabHeap.blockBytes(EXPIRING_HEADER_BYTES + keyLength(record) + valueLength(record));
    }

    private long insert(MemorySegment memory, long offset, int length, int bytes) {
        if (length > MAX_KEY_LENGTH) {
            throw new IllegalArgumentException("a key has up to " + MAX_KEY_LENGTH + " bytes, not " + length);
        }
        grow();
        int hash = hash(memory, offset, length);
        long at = heap.allocate(bytes);
        MemorySegment in = heap.memory(at);
        long record = SlabHeap.offset(at);
        in.set(ValueLayout.JAVA_INT, record + HASH, hash);
        MemorySegment.copy(memory, offset, in, record + HEADER_BYTES, length);
        Slots table = tableOf(hash);
        in.set(ValueLayout.JAVA_LONG, record, table.get(table.slotOf(hash)));
        table.set(table.slotOf(hash), at);
        count++;
        return at;
    }

    private long move(long old, int oldBytes, int bytes) {
        long at = heap.allocate(bytes);
        MemorySegment.copy(
                heap.memory(old),
                SlabHeap.offset(old),
                heap.memory(at),
                SlabHeap.offset(at),
                Math.min(oldBytes, bytes));
        link(before, (int) hash(at), at);
        if (expires(at)) {
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
        if (former == null && count >= 1L << slots.bits() && slots.bits() < MOST_BITS) {
            resize(slots.bits() + 1);
        }
        moveSome();
    }

    /** Keeps the slots in proportion to the keys, so that going through them takes a time in proportion, too. */
    private void shrink() {
        if (former == null && SPARSE * count < 1L << slots.bits() && slots.bits() > FIRST_BITS) {
            resize(slots.bits() - 1);
        }
        moveSome();
    }

    private void resize(int bits) {
        former = slots;
        slots = new Slots(bits);
        moved = 0;
        toMove = 0;
    }

    private void moveSome() {
        Slots old = former;
        if (old == null) {
            return;
        }
        toMove += old.bits() < slots.bits() ? SLOTS_MOVED : SLOTS_MERGED;
        for (; toMove >= MOVED_AT_ONCE; toMove -= MOVED_AT_ONCE) {
            for (int i = 0; i < MOVED_AT_ONCE; i++) {
                fetched[i] = old.get(moved + i);
            }
            // All are on their way into the cache before any is needed.
            touched += firstBytes(MOVED_AT_ONCE);
            for (int i = 0; i < MOVED_AT_ONCE; i++) {
                move(fetched[i]);
            }
            moved += MOVED_AT_ONCE;
            if (moved == 1L << old.bits()) {
                endMove();
                return;
            }
        }
    }

    /** Moves the records of a slot into the table that replaces the former one. */
    private void move(long first) {
        for (long at = first; at != 0; ) {
            MemorySegment in = heap.memory(at);
            long record = SlabHeap.offset(at);
            long next = in.get(ValueLayout.JAVA_LONG, record);
            long slot = slots.slotOf(in.get(ValueLayout.JAVA_INT, record + HASH));
            in.set(ValueLayout.JAVA_LONG, record, slots.get(slot));
            slots.set(slot, at);
            at = next;
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
