package io.slipstream.keyvalue.memory;

import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.keyvalue.value.Value;
import io.slipstream.service.machine.Prefetching;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The keys of one database by its number, what they hold, and the hash of all. */
public final class Space implements AutoCloseable {
    private static final int LOOKS = 16;
    private static final int EXPECTED = Prefetching.MOST;
    /* To hash a longer one would take more time than it saves. */
    private static final int LONGEST_NAME = 64;

    private final Keyspace keys = new Keyspace();
    private final Shelf shelf = new Shelf(keys);
    private int number;
    private long hash;
    private final @Nullable Value[] expectedIn = new Value[EXPECTED];
    private final int[] expectedNames = new int[EXPECTED];
    private int expectedCount;
    /* What was read only to be in the cache; kept, so that the compiler does not leave the reading out. */
    private int touched;

    /** Creates an empty one. */
    public Space(int number) {
        this.number = number;
    }

    /** Returns its number. */
    public int number() {
        return number;
    }

    /** Gives all of it another number. */
    public void number(int other) {
        number = other;
    }

    /** Returns the keys. */
    public Keyspace keys() {
        return keys;
    }

    /** Returns the collections of the keys. */
    public Shelf shelf() {
        return shelf;
    }

    /** Counts a key into the hash of the space, or what it was out of it. */
    public void count(long difference) {
        hash += difference;
    }

    /** Returns the hash of what is here; that of the first database is as if it were the only one. */
    public long hash() {
        return hash * (2 * number + 1);
    }

    /** Returns how many bytes keys and values take; an empty space that is not the first takes none. */
    public long usedBytes() {
        return number > 0 && keys.count() == 0 ? 0 : keys.usedBytes() + shelf.heapBytes();
    }

    /** Returns a copy of the key of a record. */
    public Bytes key(long record) {
        return new Bytes(Bytes.copy(keys.memory(record), keys.keyOffset(record), keys.keyLength(record)));
    }

    /** Returns the record of a key, expired or not, or 0. */
    public long find(Bytes key) {
        return keys.find(MemorySegment.ofArray(key.array()), 0, key.array().length);
    }

    /** Gives a key a value of some bytes. */
    public long put(Bytes key, byte type, MemorySegment value, long offset, int length, long version) {
        MemorySegment of = MemorySegment.ofArray(key.array());
        long record = keys.put(of, 0, key.array().length, type, length, version);
        MemorySegment.copy(value, offset, keys.memory(record), keys.valueOffset(record), length);
        return record;
    }

    /**
     * A key is asked for soon, or is not there; and with it, if it holds a collection, perhaps an element of the name
     * behind the key. Where keys are few, a collection may be large.
     *
     * @param nameLength of that name, or -1
     */
    void expect(MemorySegment memory, long offset, int length, int nameLength) {
        if (!keys.isCached()) {
            keys.expectKey(memory, offset, length);
        } else if (nameLength >= 0 && nameLength <= LONGEST_NAME && expectedCount < EXPECTED) {
            long record = keys.find(memory, offset, length);
            if (record != 0 && keys.type(record) != Value.STRING && !shelf.isPacked(record)) {
                expectedIn[expectedCount] = shelf.get(record);
                expectedNames[expectedCount++] = Bytes.hashCode(memory, offset + length, nameLength);
            }
        }
    }

    /** Brings what was expected into the cache. As {@link Keyspace#prefetch}, it waits for all at once. */
    void prefetch() {
        keys.prefetch();
        for (int i = 0; i < expectedCount; i++) {
            Value in = expectedIn[i];
            if (in != null) {
                touched += in.touch(expectedNames[i]);
                expectedIn[i] = null;
            }
        }
        expectedCount = 0;
    }

    /** Takes a key away; its part of the hash is no business of this. */
    public void drop(long record) {
        if (keys.type(record) != Value.STRING) {
            shelf.release(record);
        }
        Bytes key = key(record);
        keys.remove(MemorySegment.ofArray(key.array()), 0, key.array().length);
    }

    /** Removes all keys. */
    public void clear() {
        keys.clear();
        shelf.clear();
        hash = 0;
    }

    /** Gives the memory outside the heap back; nothing may follow. */
    @Override
    public void close() {
        keys.close();
    }

    /** Returns the part in the hash of a string. */
    public long contribution(long record) {
        return contribution(record, Bytes.mix(keys.memory(record), keys.valueOffset(record), keys.valueLength(record)));
    }

    /** Returns the part in the hash of a key with a content of that hash. */
    public long contribution(long record, long content) {
        long key = Bytes.mix(keys.memory(record), keys.keyOffset(record), keys.keyLength(record));
        return Bytes.mix(key * 31 + content + keys.type(record) + keys.expiry(record) * 0x9E37_79B9L);
    }

    /** Returns when the next key expires, in milliseconds since 1970; 0 if none does. */
    public long firstExpiryMillis() {
        long record = keys.firstExpiring();
        return record == 0 ? 0 : keys.expiry(record);
    }

    /** Returns of some keys in a row, from the hash {@code start} on, the one that was changed longest ago; or 0. */
    public long oldest(long start) {
        long slot = start;
        long best = 0;
        for (int looks = 0; looks < Math.min(LOOKS, keys.count()); ) {
            int found = keys.inOrder(slot);
            for (int i = 0; i < found && looks < LOOKS; i++, looks++) {
                long record = keys.ordered(i);
                best = best == 0 || keys.version(record) < keys.version(best) ? record : best;
            }
            slot = keys.nextSlot(slot) % Keyspace.END;
        }
        return best;
    }

    /** Writes all keys in the order of their hashes. */
    public void save(StateOutput output) {
        output.writeLong(keys.count());
        for (long slot = 0; slot < Keyspace.END; slot = keys.nextSlot(slot)) {
            int found = keys.inOrder(slot);
            for (int i = 0; i < found; i++) {
                save(keys.ordered(i), output);
            }
        }
    }

    private void save(long record, StateOutput output) {
        output.writeInt(keys.keyLength(record));
        output.write(keys.memory(record), keys.keyOffset(record), keys.keyLength(record));
        output.writeByte(keys.type(record));
        output.writeLong(keys.expiry(record));
        output.writeLong(keys.version(record));
        if (keys.type(record) == Value.STRING) {
            output.writeInt(keys.valueLength(record));
            output.write(keys.memory(record), keys.valueOffset(record), keys.valueLength(record));
        } else {
            // A collection that was large may stay on the heap when it is small enough to be packed, and counts so.
            output.writeBoolean(shelf.isPacked(record));
            shelf.get(record).save(output);
        }
    }

    /** Loads into a space that is empty. */
    public void load(StateInput input) {
        long count = input.readLong();
        keys.expect(count);
        // Millions of arrays would be garbage, which the heap that holds none of the keys has no room for.
        MemorySegment key = MemorySegment.ofArray(new byte[1 << 10]);
        for (long left = count; left > 0; left--) {
            int keyLength = input.readLength();
            if (keyLength > key.byteSize()) {
                key = MemorySegment.ofArray(new byte[keyLength]);
            }
            input.read(key, 0, keyLength);
            byte type = input.readByte();
            long expiry = input.readLong();
            long version = input.readLong();
            long record;
            if (type == Value.STRING) {
                int length = input.readLength();
                record = keys.put(key, 0, keyLength, type, length, version);
                input.read(keys.memory(record), keys.valueOffset(record), length);
            } else {
                Bytes name = new Bytes(Bytes.copy(key, 0, keyLength));
                boolean isPacked = input.readBoolean();
                record = shelf.load(name, Value.load(type, input), isPacked, version);
            }
            record = keys.expiry(record, expiry);
            hash += type == Value.STRING
                    ? contribution(record)
                    : contribution(record, shelf.get(record).contentHash());
        }
    }
}
