package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.memory.Keyspace;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.keyvalue.value.ListValue;
import io.slipstream.keyvalue.value.Value;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/**
 * Keys, what they hold, and when they expire. A change is between {@link #open} and {@link #close} of its key, which
 * keep the hash of the whole and the versions; a collection that became empty goes with its key.
 *
 * <p>What has expired is never seen. It is removed when a command meets it, and by {@link #sweep}.
 */
final class Database {
    /** The longest value: an answer with it must fit into a message. */
    static final int MAX_VALUE = Output.MAX_LENGTH - 64;

    private static final int HANDLE_BYTES = 4;

    private final Keyspace keys = new Keyspace();
    private final List<@Nullable Value> values = new ArrayList<>();
    private final Deque<Integer> freeHandles = new ArrayDeque<>();
    private final MemorySegment handle = MemorySegment.ofArray(new byte[HANDLE_BYTES]);
    private final List<Bytes> opened = new ArrayList<>();
    private final List<Long> openedHashes = new ArrayList<>();
    private long hash;
    private long changes;
    private long valueBytes;
    private long nowMillis;
    private boolean writing;

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
        return keys.usedBytes() + valueBytes;
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
        return new Bytes(keys.memory(record).asSlice(keys.keyOffset(record), keys.keyLength(record))
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

    byte[] bytes(long record) {
        return keys.memory(record).asSlice(keys.valueOffset(record), keys.valueLength(record))
                .toArray(ValueLayout.JAVA_BYTE);
    }

    /** Returns the collection of a key to look at, or null if there is none. */
    <V extends Value> @Nullable V read(Words words, int i, Class<V> type) {
        long record = find(words, i);
        return record == 0 ? null : cast(value(record), type);
    }

    /** Returns the collection of a key to change, or null if there is none. */
    <V extends Value> @Nullable V write(Words words, int i, Class<V> type) {
        long record = find(words, i);
        if (record == 0) {
            return null;
        }
        V value = cast(value(record), type);
        open(record);
        return value;
    }

    /** Returns the collection of a key to change, made if there is none. */
    <V extends Value> V write(Words words, int i, Class<V> type, Supplier<V> maker) {
        V present = write(words, i, type);
        if (present != null) {
            return present;
        }
        V made = maker.get();
        Bytes key = new Bytes(words.bytes(i));
        hold(key, made);
        opened.add(key);
        openedHashes.add(0L);
        return made;
    }

    /** Takes an element from the list of a key, which need not be there; null if there is none. */
    byte @Nullable [] pop(Bytes key, boolean left) {
        long record = find(key);
        if (record == 0 || keys.type(record) != ListValue.TYPE) {
            return null;
        }
        open(record);
        byte[] element = Lists.pop((ListValue) value(record), left);
        close();
        return element;
    }

    /** Lets a key hold a collection, whatever it held before; without an expiry. An empty one removes the key. */
    void replace(Bytes key, Value value) {
        long record = find(key);
        if (record != 0) {
            remove(record);
        }
        if (value.size() > 0) {
            hash += contribution(hold(key, value));
        }
    }

    private long hold(Bytes key, Value value) {
        int place = freeHandles.isEmpty() ? values.size() : freeHandles.pop();
        if (place == values.size()) {
            values.add(value);
        } else {
            values.set(place, value);
        }
        valueBytes += value.bytes();
        handle.set(ValueLayout.JAVA_INT_UNALIGNED, 0, place);
        return put(key, value.type(), handle, 0, HANDLE_BYTES);
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
            int place = place(record);
            valueBytes -= value(record).bytes();
            values.set(place, null);
            freeHandles.push(place);
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
            hash += contribution(hold(to, copies ? Value.copy(held) : held));
        }
        if (expiry != 0) {
            expire(find(to), expiry);
        }
    }

    private void open(long record) {
        Bytes key = key(record);
        if (opened.contains(key)) {
            return;
        }
        long before = contribution(record);
        hash -= before;
        valueBytes -= value(record).bytes();
        opened.add(key);
        openedHashes.add(before);
    }

    /** Ends the changes of a command; returns the keys that it may have changed, and that are still there. */
    List<Bytes> close() {
        for (int i = opened.size() - 1; i >= 0; i--) {
            Bytes key = opened.get(i);
            long record = keys.find(MemorySegment.ofArray(key.array()), 0, key.array().length);
            if (value(record).size() == 0) {
                valueBytes += value(record).bytes();
                drop(record);
                opened.remove(i);
            } else {
                valueBytes += value(record).bytes();
                long after = contribution(record);
                hash += after;
                if (after != openedHashes.get(i)) {
                    keys.version(record, ++changes);
                }
            }
        }
        openedHashes.clear();
        List<Bytes> changed = opened.isEmpty() ? List.of() : List.copyOf(opened);
        opened.clear();
        return changed;
    }

    /** Removes all keys. */
    void clear() {
        keys.clear();
        values.clear();
        freeHandles.clear();
        hash = 0;
        valueBytes = 0;
        changes++;
    }

    /** Returns the version of a key, which each change of it raises; 0 if it is not there. */
    long version(Bytes key) {
        long record = find(key);
        return record == 0 ? 0 : keys.version(record);
    }

    /** Removes what has expired among the keys of some slots from {@code cursor} on; returns where to go on. */
    long sweep(long cursor, int slots) {
        long at = cursor;
        for (int i = 0; i < slots; i++) {
            long record = keys.first(at);
            while (record != 0) {
                long next = keys.next(record);
                if (isExpired(record)) {
                    remove(record);
                    // Removing may have moved the slot.
                    next = keys.first(at);
                }
                record = next;
            }
            at = keys.nextSlot(at);
            if (at >= Keyspace.END) {
                return 0;
            }
        }
        return at;
    }

    Value value(long record) {
        if (keys.type(record) == Value.STRING) {
            throw RedisError.WRONG_TYPE;
        }
        Value value = values.get(place(record));
        if (value == null) {
            throw new IllegalStateException("the key " + key(record) + " holds nothing");
        }
        return value;
    }

    private int place(long record) {
        return keys.memory(record).get(ValueLayout.JAVA_INT_UNALIGNED, keys.valueOffset(record));
    }

    private static <V extends Value> V cast(Value value, Class<V> type) {
        if (!type.isInstance(value)) {
            throw RedisError.WRONG_TYPE;
        }
        return type.cast(value);
    }

    private long contribution(long record) {
        MemorySegment memory = keys.memory(record);
        long key = Bytes.mix(memory, keys.keyOffset(record), keys.keyLength(record));
        long value = keys.type(record) == Value.STRING
                ? Bytes.mix(memory, keys.valueOffset(record), keys.valueLength(record)) : value(record).contentHash();
        return Bytes.mix(key * 31 + value + keys.type(record) + keys.expiry(record) * 0x9E37_79B9L);
    }

    void save(StateOutput output) {
        output.writeLong(changes);
        output.writeLong(keys.count());
        for (long slot = 0; slot < Keyspace.END; slot = keys.nextSlot(slot)) {
            for (long record = keys.first(slot); record != 0; record = keys.next(record)) {
                output.writeBytes(key(record).array());
                output.writeByte(keys.type(record));
                output.writeLong(keys.expiry(record));
                output.writeLong(keys.version(record));
                if (keys.type(record) == Value.STRING) {
                    output.writeInt(keys.valueLength(record));
                    output.write(keys.memory(record), keys.valueOffset(record), keys.valueLength(record));
                } else {
                    value(record).save(output);
                }
            }
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
                record = hold(key, Value.load(type, input));
            }
            keys.expiry(record, expiry);
            keys.version(record, version);
            hash += contribution(record);
        }
        changes = saved;
    }
}
