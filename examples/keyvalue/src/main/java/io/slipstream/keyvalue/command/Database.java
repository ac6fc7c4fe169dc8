package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.memory.Keyspace;
import io.slipstream.keyvalue.memory.Shelf;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.keyvalue.value.HashValue;
import io.slipstream.keyvalue.value.Value;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keys, what they hold, and when they expire. A change is between {@link #open} and {@link #close} of its key, which
 * keep the hash of the whole and the versions; a collection that became empty goes with its key.
 *
 * <p>What has expired is never seen. It is removed when a command meets it, and by {@link #sweep}.
 */
final class Database {
    /** The longest value: an answer with it must fit into a message. */
    static final int MAX_VALUE = Output.MAX_LENGTH - 64;

    private final Keyspace keys = new Keyspace();
    private final Shelf shelf = new Shelf(keys);
    private final List<Opened> opened = new ArrayList<>();
    /* Keys that were given a collection as a whole. */
    private final List<Bytes> placed = new ArrayList<>();
    private long hash;
    private long changes;
    private long nowMillis;
    private boolean writing;

    /** A collection that the present command may change, and what its key counted in the hash before. */
    private record Opened(Bytes key, Value value, long before) {}

    /** Begins a command of the log, at that time. */
    void beginWrite(long timeMillis) {
        nowMillis = timeMillis;
        writing = true;
    }

    /** Begins a query at that time. */
    void beginRead(long timeMillis) {
        nowMillis = Math.max(nowMillis, timeMillis);
        writing = false;
    }

    Keyspace keys() {
        return keys;
    }

    long nowMillis() {
        return nowMillis;
    }

    long changes() {
        return changes;
    }

    long hash() {
        return hash;
    }

    /** Returns how many bytes keys and values take. */
    long usedBytes() {
        return keys.usedBytes() + shelf.heapBytes();
    }

    long find(Words words, int i) {
        return find(words.memory(), words.offset(i), words.length(i));
    }

    /** Returns the record of a key that has not expired, or 0. */
    long find(MemorySegment memory, long offset, int length) {
        long record = keys.find(memory, offset, length);
        if (record == 0 || !isExpired(record)) {
            return record;
        }
        if (writing) {
            remove(record);
        }
        return 0;
    }

    private long find(Bytes key) {
        return find(MemorySegment.ofArray(key.array()), 0, key.array().length);
    }

    boolean isExpired(long record) {
        long expiry = keys.expiry(record);
        return expiry != 0 && expiry <= nowMillis;
    }

    Bytes key(long record) {
        return new Bytes(keys.memory(record)
                .asSlice(keys.keyOffset(record), keys.keyLength(record))
                .toArray(ValueLayout.JAVA_BYTE));
    }

    /** Returns the record of a string, or 0 if there is no such key. */
    long string(Words words, int i) {
        long record = find(words, i);
        if (record != 0 && keys.type(record) != Value.STRING) {
            throw RedisError.WRONG_TYPE;
        }
        return record;
    }

    /** Returns a copy of the string of a key, or null if there is none. */
    @Nullable
    Bytes string(Bytes key) {
        long record = find(key);
        return record == 0 || keys.type(record) != Value.STRING ? null : new Bytes(bytes(record));
    }

    /** Returns the value of a field in the hash of a key, or null if there is none. */
    @Nullable
    Bytes field(Bytes key, Bytes field) {
        long record = find(key);
        byte[] value =
                record == 0 || keys.type(record) != HashValue.TYPE ? null : ((HashValue) value(record)).get(field);
        return value == null ? null : new Bytes(value);
    }

    byte[] bytes(long record) {
        return keys.memory(record)
                .asSlice(keys.valueOffset(record), keys.valueLength(record))
                .toArray(ValueLayout.JAVA_BYTE);
    }

    /** Returns the collection of a key to look at, or null if there is none. */
    <V extends Value> @Nullable V read(Words words, int i, Class<V> type) {
        long record = find(words, i);
        return record == 0 ? null : cast(value(record), type);
    }

    /** Returns the collection of a key to look at, or null if there is none. */
    <V extends Value> @Nullable V read(Bytes key, Class<V> type) {
        long record = find(key);
        return record == 0 ? null : cast(value(record), type);
    }

    /** Returns the collection of a key, whatever it is, or null if there is none. */
    @Nullable
    Value collection(Bytes key) {
        long record = find(key);
        return record == 0 || keys.type(record) == Value.STRING ? null : value(record);
    }

    /** Returns the collection of a key to change, or null if there is none. */
    <V extends Value> @Nullable V write(Words words, int i, Class<V> type) {
        return write(find(words, i), type);
    }

    /** Returns the collection of a key to change, or null if there is none. */
    <V extends Value> @Nullable V write(Bytes key, Class<V> type) {
        return write(find(key), type);
    }

    private <V extends Value> @Nullable V write(long record, Class<V> type) {
        if (record == 0) {
            return null;
        }
        V value = cast(value(record), type);
        open(record, value);
        return value;
    }

    /** Returns the collection of a key to change, made if there is none. */
    <V extends Value> V write(Words words, int i, Class<V> type, Supplier<V> maker) {
        V present = write(words, i, type);
        return present == null ? make(new Bytes(words.bytes(i)), maker) : present;
    }

    /** Returns the collection of a key to change, made if there is none. */
    <V extends Value> V write(Bytes key, Class<V> type, Supplier<V> maker) {
        V present = write(key, type);
        return present == null ? make(key, maker) : present;
    }

    private <V extends Value> V make(Bytes key, Supplier<V> maker) {
        V made = maker.get();
        shelf.put(key, made, ++changes);
        opened.add(new Opened(key, made, 0));
        return made;
    }

    /** Lets a key hold a collection, whatever it held before; without an expiry. An empty one removes the key. */
    void replace(Bytes key, Value value) {
        long record = find(key);
        if (record != 0) {
            remove(record);
        }
        if (value.size() > 0) {
            hash += contribution(shelf.put(key, value, ++changes));
            placed.add(key);
        }
    }

    private long put(Bytes key, byte type, MemorySegment value, long offset, int length) {
        MemorySegment of = MemorySegment.ofArray(key.array());
        long record = keys.put(of, 0, key.array().length, type, length, ++changes);
        MemorySegment.copy(value, offset, keys.memory(record), keys.valueOffset(record), length);
        return record;
    }

    /** Sets a string, whatever the key held before. */
    void setString(Words words, int i, MemorySegment value, long offset, int length, boolean keepsExpiry) {
        if (length > MAX_VALUE) {
            throw RedisError.TOO_LONG;
        }
        long record = find(words, i);
        if (record != 0 && keys.type(record) != Value.STRING) {
            long expiry = keys.expiry(record);
            remove(record);
            record = 0;
            if (keepsExpiry && expiry != 0) {
                setString(words, i, value, offset, length, false);
                expire(find(words, i), expiry);
                return;
            }
        }
        if (record != 0) {
            hash -= contribution(record);
        }
        record = keys.put(words.memory(), words.offset(i), words.length(i), Value.STRING, length, ++changes);
        MemorySegment.copy(value, offset, keys.memory(record), keys.valueOffset(record), length);
        if (!keepsExpiry) {
            keys.expiry(record, 0);
        }
        hash += contribution(record);
    }

    void setString(Words words, int i, byte[] value, boolean keepsExpiry) {
        setString(words, i, MemorySegment.ofArray(value), 0, value.length, keepsExpiry);
    }

    /** Sets when a key expires; 0 for never. */
    void expire(long record, long atMillis) {
        hash -= contribution(record);
        keys.expiry(record, atMillis);
        keys.version(record, ++changes);
        hash += contribution(record);
    }

    boolean delete(Words words, int i) {
        long record = find(words, i);
        if (record != 0) {
            remove(record);
        }
        return record != 0;
    }

    /** Removes a key with what it holds. */
    void remove(long record) {
        hash -= contribution(record);
        drop(record);
    }

    private void drop(long record) {
        if (keys.type(record) != Value.STRING) {
            shelf.release(record);
        }
        Bytes key = key(record);
        keys.remove(MemorySegment.ofArray(key.array()), 0, key.array().length);
        changes++;
    }

    /** Gives what one key holds, with its expiry, to another; the first is gone then, unless {@code copies}. */
    void move(long record, Bytes to, boolean copies) {
        byte type = keys.type(record);
        long expiry = keys.expiry(record);
        byte[] string = type == Value.STRING ? bytes(record) : null;
        Value held = type == Value.STRING ? null : value(record);
        Bytes from = key(record);
        long target = find(to);
        if (target != 0 && !to.equals(from)) {
            remove(target);
        }
        if (!copies) {
            remove(find(from));
        }
        if (string != null) {
            hash += contribution(put(to, Value.STRING, MemorySegment.ofArray(string), 0, string.length));
        } else if (held != null) {
            hash += contribution(shelf.put(to, copies ? Value.copy(held) : held, ++changes));
            placed.add(to);
        }
        if (expiry != 0) {
            expire(find(to), expiry);
        }
    }

    private void open(long record, Value value) {
        Bytes key = key(record);
        if (opened(key) == null) {
            long before = contribution(record, value);
            hash -= before;
            opened.add(new Opened(key, value, before));
        }
    }

    private @Nullable Value opened(Bytes key) {
        for (Opened each : opened) {
            if (each.key.equals(key)) {
                return each.value;
            }
        }
        return null;
    }

    /** Ends the changes of a command; returns the keys that it may have changed, and that are still there. */
    List<Bytes> close() {
        if (opened.isEmpty() && placed.isEmpty()) {
            return List.of();
        }
        List<Bytes> changed = new ArrayList<>(placed);
        placed.clear();
        for (Opened each : opened) {
            long record = keys.find(MemorySegment.ofArray(each.key.array()), 0, each.key.array().length);
            if (each.value.isNothing()) {
                drop(record);
                continue;
            }
            changed.add(each.key);
            long after = contribution(record, each.value);
            hash += after;
            shelf.put(each.key, each.value, after == each.before ? keys.version(record) : ++changes);
        }
        opened.clear();
        return changed;
    }

    /** Removes all keys. */
    void clear() {
        keys.clear();
        shelf.clear();
        hash = 0;
        changes++;
    }

    /** Returns the version of a key, which each change of it raises; 0 if it is not there. */
    long version(Bytes key) {
        long record = find(key);
        return record == 0 ? 0 : keys.version(record);
    }

    /** Removes up to {@code most} of the keys that have expired, those that did first; returns whether more have. */
    boolean sweep(int most) {
        for (int left = most; left > 0; left--) {
            long first = keys.firstExpiring();
            if (first == 0 || !isExpired(first)) {
                return false;
            }
            remove(first);
        }
        long first = keys.firstExpiring();
        return first != 0 && isExpired(first);
    }

    /** Returns when the next key expires, in milliseconds since 1970; 0 if none does. */
    long nextExpiryMillis() {
        long first = keys.firstExpiring();
        return first == 0 ? 0 : keys.expiry(first);
    }

    /** Returns the collection of a record, as the present command may have changed it. */
    Value value(long record) {
        if (keys.type(record) == Value.STRING) {
            throw RedisError.WRONG_TYPE;
        }
        Value changed = opened.isEmpty() ? null : opened(key(record));
        return changed == null ? shelf.get(record) : changed;
    }

    /** Returns how many bytes the key of a record takes with what it holds. */
    long bytesOf(long record) {
        return keys.recordBytes(record) + (keys.type(record) == Value.STRING ? 0 : shelf.heapBytes(record));
    }

    private static <V extends Value> V cast(Value value, Class<V> type) {
        if (!type.isInstance(value)) {
            throw RedisError.WRONG_TYPE;
        }
        return type.cast(value);
    }

    private long contribution(long record) {
        return contribution(
                record,
                keys.type(record) == Value.STRING
                        ? Bytes.mix(keys.memory(record), keys.valueOffset(record), keys.valueLength(record))
                        : value(record).contentHash());
    }

    private long contribution(long record, Value value) {
        return contribution(record, value.contentHash());
    }

    private long contribution(long record, long content) {
        long key = Bytes.mix(keys.memory(record), keys.keyOffset(record), keys.keyLength(record));
        return Bytes.mix(key * 31 + content + keys.type(record) + keys.expiry(record) * 0x9E37_79B9L);
    }

    void save(StateOutput output) {
        output.writeLong(changes);
        output.writeLong(keys.count());
        for (long slot = 0; slot < Keyspace.END; slot = keys.nextSlot(slot)) {
            int found = keys.inOrder(slot);
            for (int i = 0; i < found; i++) {
                save(keys.ordered(i), output);
            }
        }
    }

    private void save(long record, StateOutput output) {
        output.writeBytes(key(record).array());
        output.writeByte(keys.type(record));
        output.writeLong(keys.expiry(record));
        output.writeLong(keys.version(record));
        if (keys.type(record) == Value.STRING) {
            output.writeInt(keys.valueLength(record));
            output.write(keys.memory(record), keys.valueOffset(record), keys.valueLength(record));
        } else {
            // A collection that was large may stay on the heap when it is small enough to be packed, and counts so.
            output.writeBoolean(shelf.isPacked(record));
            value(record).save(output);
        }
    }

    /** Loads into a database that is empty. */
    void load(StateInput input) {
        long saved = input.readLong();
        for (long left = input.readLong(); left > 0; left--) {
            Bytes key = new Bytes(input.readBytes());
            byte type = input.readByte();
            long expiry = input.readLong();
            long version = input.readLong();
            long record;
            if (type == Value.STRING) {
                byte[] value = input.readBytes();
                record = put(key, type, MemorySegment.ofArray(value), 0, value.length);
            } else {
                boolean isPacked = input.readBoolean();
                record = shelf.load(key, Value.load(type, input), isPacked, ++changes);
            }
            keys.expiry(record, expiry);
            keys.version(record, version);
            hash += contribution(record);
        }
        changes = saved;
    }
}
