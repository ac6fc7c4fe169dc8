package io.slipstream.keyvalue.command;

import io.slipstream.keyvalue.memory.Keyspace;
import io.slipstream.keyvalue.memory.Place;
import io.slipstream.keyvalue.memory.Space;
import io.slipstream.keyvalue.memory.Spaces;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.keyvalue.value.HashValue;
import io.slipstream.keyvalue.value.StreamValue;
import io.slipstream.keyvalue.value.Value;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keys, what they hold, and when they expire, in some databases of which one is selected: what is asked for a key means
 * one of that. A change is between {@link #open} and {@link #close} of its key, which keep the hash of the whole and
 * the versions; a collection that became empty goes with its key.
 *
 * <p>What has expired is never seen. It is removed when a command meets it, and by {@link #sweep}.
 */
final class Database {
    private final Spaces spaces = new Spaces();
    private Space space = spaces.get(0);
    private int count = Words.DATABASES;
    private final List<Opened> opened = new ArrayList<>();
    /* Keys that were given a collection as a whole. */
    private final List<Place> placed = new ArrayList<>();
    /* Streams that were removed, and databases that have lost all keys or got those of another. */
    private final Set<Place> lostStreams = new LinkedHashSet<>();
    private final BitSet lostDatabases = new BitSet();
    private long changes;
    private long nowMillis;
    private int maxValue;
    private boolean writing;

    /** A collection that the present command may change, and what its key counted in the hash before. */
    private record Opened(Space space, Bytes key, Value value, long before) {
        Place place() {
            return new Place(space.number(), key);
        }
    }

    /** Sets how many bytes a string may have from now on; longer ones that are there stay. */
    void maxValue(int bytes) {
        maxValue = bytes;
    }

    /** Returns how many bytes a string may have. */
    int maxValue() {
        return maxValue;
    }

    /** Selects a database for what is asked from now on. */
    void select(int number) {
        if (number != space.number()) {
            space = spaces.get(number);
        }
    }

    /** Returns the number of the database that is selected. */
    int selected() {
        return space.number();
    }

    /** Says how many databases may be named; the others are there, and nobody gets to them. */
    void count(int newCount) {
        count = newCount;
    }

    /** Returns how many databases may be named. */
    int count() {
        return count;
    }

    /** Returns the number that word {@code i} is if there is such a database. */
    int number(Words words, int i) {
        return number(words, i, RedisError.NOT_AN_INTEGER);
    }

    /** As {@link #number(Words, int)}, with another error for what is no number. */
    int number(Words words, int i, RedisError otherwise) {
        long number = words.number(i, otherwise);
        if (number < 0 || number >= count) {
            throw RedisError.NO_SUCH_DATABASE;
        }
        return (int) number;
    }

    /** Lets each of two databases have what was the other's. */
    void swap(int one, int other) {
        int present = selected();
        spaces.swap(one, other);
        lostDatabases.set(one);
        lostDatabases.set(other);
        space = spaces.get(present);
        changes++;
    }

    /** Returns all databases that may have keys. */
    List<Space> spaces() {
        return spaces.made();
    }

    /** A key of a database is asked for soon; as {@link Space#expect}. */
    void expect(int number, MemorySegment memory, long offset, int length, int nameLength) {
        spaces.expect(number, memory, offset, length, nameLength);
    }

    /** Brings what was expected into the cache. */
    void prefetch() {
        spaces.prefetch();
    }

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

    /** Returns the keys of the database that is selected. */
    Keyspace keys() {
        return space.keys();
    }

    long nowMillis() {
        return nowMillis;
    }

    long changes() {
        return changes;
    }

    long hash() {
        return spaces.hash();
    }

    /** Returns how many bytes keys and values take. */
    long usedBytes() {
        return spaces.usedBytes();
    }

    /** Returns how many bytes were taken from the system. */
    long reservedBytes() {
        return spaces.reservedBytes();
    }

    long find(Words words, int i) {
        return find(words.memory(), words.offset(i), words.length(i));
    }

    /** Returns the record of a key that has not expired, or 0. */
    long find(MemorySegment memory, long offset, int length) {
        long record = space.keys().find(memory, offset, length);
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
        long expiry = space.keys().expiry(record);
        return expiry != 0 && expiry <= nowMillis;
    }

    Bytes key(long record) {
        return space.key(record);
    }

    /** Returns the record of a string, or 0 if there is no such key. */
    long string(Words words, int i) {
        long record = find(words, i);
        if (record != 0 && space.keys().type(record) != Value.STRING) {
            throw RedisError.WRONG_TYPE;
        }
        return record;
    }

    /** Returns a copy of the string of a key, or null if there is none. */
    @Nullable
    Bytes string(Bytes key) {
        long record = find(key);
        return record == 0 || space.keys().type(record) != Value.STRING ? null : new Bytes(bytes(record));
    }

    /** Returns the value of a field in the hash of a key, or null if there is none. */
    @Nullable
    Bytes field(Bytes key, Bytes field) {
        long record = find(key);
        byte[] value = record == 0 || space.keys().type(record) != HashValue.TYPE
                ? null
                : ((HashValue) value(record)).get(field);
        return value == null ? null : new Bytes(value);
    }

    byte[] bytes(long record) {
        Keyspace keys = space.keys();
        return Bytes.copy(keys.memory(record), keys.valueOffset(record), keys.valueLength(record));
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
        return record == 0 || space.keys().type(record) == Value.STRING ? null : value(record);
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
        space.shelf().put(key, made, ++changes);
        opened.add(new Opened(space, key, made, 0));
        return made;
    }

    /** Lets a key hold a collection, whatever it held before; without an expiry. An empty one removes the key. */
    void replace(Bytes key, Value value) {
        long record = find(key);
        if (record != 0) {
            remove(record);
        }
        if (value.size() > 0) {
            space.count(contribution(space.shelf().put(key, value, ++changes)));
            placed.add(new Place(selected(), key));
        }
    }

    /** Sets a string, whatever the key held before. */
    void setString(Words words, int i, MemorySegment value, long offset, int length, boolean keepsExpiry) {
        if (length > maxValue) {
            throw RedisError.TOO_LONG;
        }
        Keyspace keys = space.keys();
        long record = find(words, i);
        if (record != 0 && space.keys().type(record) != Value.STRING) {
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
            space.count(-contribution(record));
        }
        record = keys.put(words.memory(), words.offset(i), words.length(i), Value.STRING, length, ++changes);
        MemorySegment.copy(value, offset, keys.memory(record), keys.valueOffset(record), length);
        if (!keepsExpiry) {
            record = keys.expiry(record, 0);
        }
        space.count(contribution(record));
    }

    void setString(Words words, int i, byte[] value, boolean keepsExpiry) {
        setString(words, i, MemorySegment.ofArray(value), 0, value.length, keepsExpiry);
    }

    /** Sets when a key expires; 0 for never. The record of the key may be another one then. */
    void expire(long record, long atMillis) {
        space.count(-contribution(record));
        long changed = space.keys().expiry(record, atMillis);
        space.keys().version(changed, ++changes);
        space.count(contribution(changed));
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
        remove(space, record);
    }

    private void remove(Space of, long record) {
        if (of.keys().type(record) == StreamValue.TYPE) {
            lostStreams.add(new Place(of.number(), of.key(record)));
        }
        of.count(-contribution(of, record));
        of.drop(record);
        changes++;
    }

    /**
     * Gives what one key holds, with its expiry, to one of database {@code number}; the first is gone then, unless
     * {@code copies}.
     */
    void move(long record, int number, Bytes to, boolean copies) {
        byte type = space.keys().type(record);
        long expiry = space.keys().expiry(record);
        byte[] string = type == Value.STRING ? bytes(record) : null;
        Value held = type == Value.STRING ? null : value(record);
        Bytes from = key(record);
        int present = selected();
        select(number);
        long target = find(to);
        if (target != 0 && !(number == present && to.equals(from))) {
            remove(target);
        }
        if (!copies) {
            select(present);
            remove(find(from));
            select(number);
        }
        if (string != null) {
            MemorySegment bytes = MemorySegment.ofArray(string);
            space.count(contribution(space.put(to, Value.STRING, bytes, 0, string.length, ++changes)));
        } else if (held != null) {
            space.count(contribution(space.shelf().put(to, copies ? Value.copy(held) : held, ++changes)));
            placed.add(new Place(number, to));
        }
        if (expiry != 0) {
            expire(find(to), expiry);
        }
        select(present);
    }

    /** Counts a key, if it is there, to what the present command may have changed. */
    void changed(Place place) {
        if (isThere(place.database(), place.key())) {
            placed.add(place);
        }
    }

    /** Returns whether a database has a key that has not expired. */
    boolean isThere(int number, Bytes key) {
        int present = selected();
        select(number);
        boolean found = find(key) != 0;
        select(present);
        return found;
    }

    private void open(long record, Value value) {
        Bytes key = key(record);
        if (opened(key) == null) {
            long before = space.contribution(record, value.contentHash());
            space.count(-before);
            opened.add(new Opened(space, key, value, before));
        }
    }

    private @Nullable Value opened(Bytes key) {
        return opened(space, key);
    }

    private @Nullable Value opened(Space of, Bytes key) {
        for (Opened each : opened) {
            if (each.space == of && each.key.equals(key)) {
                return each.value;
            }
        }
        return null;
    }

    /** Ends the changes of a command; returns the keys that it may have changed, and that are still there. */
    List<Place> close() {
        if (opened.isEmpty() && placed.isEmpty()) {
            return List.of();
        }
        List<Place> changed = new ArrayList<>(placed);
        placed.clear();
        for (Opened each : opened) {
            Space of = each.space;
            long record = of.find(each.key);
            if (each.value.isNothing()) {
                of.drop(record);
                changes++;
                continue;
            }
            changed.add(each.place());
            long after = of.contribution(record, each.value.contentHash());
            of.count(after);
            of.shelf()
                    .put(
                            record,
                            each.key,
                            each.value,
                            after == each.before ? of.keys().version(record) : ++changes);
        }
        opened.clear();
        return changed;
    }

    /** Returns the streams that were removed one by one since they were forgotten; something else may be there now. */
    List<Place> lostStreams() {
        return List.copyOf(lostStreams);
    }

    /** Returns the numbers of the databases that have lost all their keys since that was forgotten. */
    int[] lostDatabases() {
        return lostDatabases.stream().toArray();
    }

    /** Forgets what was lost. */
    void forgetLost() {
        if (!lostStreams.isEmpty()) {
            lostStreams.clear();
        }
        lostDatabases.clear();
    }

    /** Removes all keys of the database that is selected. */
    void clear() {
        space.clear();
        lostDatabases.set(selected());
        changes++;
    }

    /** Removes all keys of all databases. */
    void clearAll() {
        spaces.made().forEach(Space::clear);
        lostDatabases.set(0, spaces.made().size());
        changes++;
    }

    /** Returns the version of a key, which each change of it raises; that of one that is not there is 0. */
    long version(Place place) {
        int present = selected();
        select(place.database());
        long record = find(place.key());
        long version = record == 0 ? Keyspace.NO_VERSION : space.keys().version(record);
        select(present);
        return version;
    }

    /** Removes up to {@code most} of the keys that have expired, those that did first; returns whether more have. */
    boolean sweep(int most) {
        for (int left = most; left > 0; left--) {
            if (!hasExpired()) {
                return false;
            }
            evictFirstExpiring();
        }
        return hasExpired();
    }

    private boolean hasExpired() {
        long first = nextExpiryMillis();
        return first != 0 && first <= nowMillis;
    }

    /** Returns when the next key expires, in milliseconds since 1970; 0 if none does. */
    long nextExpiryMillis() {
        return spaces.firstExpiring().firstExpiryMillis();
    }

    /** Removes what expires first; returns false if nothing does. */
    boolean evictFirstExpiring() {
        Space of = spaces.firstExpiring();
        return evict(of, of.keys().firstExpiring());
    }

    /**
     * Removes of some keys the one that was changed longest ago; returns false if there is no key.
     *
     * @param random a number from 0 to 2^32 - 1
     */
    boolean evictOldest(long random) {
        Space of = spaces.some(random);
        return evict(of, of.oldest(random));
    }

    private boolean evict(Space of, long record) {
        if (record != 0) {
            remove(of, record);
        }
        return record != 0;
    }

    /** Returns the collection of a record, as the present command may have changed it. */
    Value value(long record) {
        if (space.keys().type(record) == Value.STRING) {
            throw RedisError.WRONG_TYPE;
        }
        Value changed = opened.isEmpty() ? null : opened(key(record));
        return changed == null ? space.shelf().get(record) : changed;
    }

    /** Returns how many bytes the key of a record takes with what it holds. */
    long bytesOf(long record) {
        return space.keys().recordBytes(record)
                + (space.keys().type(record) == Value.STRING ? 0 : space.shelf().heapBytes(record));
    }

    private static <V extends Value> V cast(Value value, Class<V> type) {
        if (!type.isInstance(value)) {
            throw RedisError.WRONG_TYPE;
        }
        return type.cast(value);
    }

    private long contribution(long record) {
        return contribution(space, record);
    }

    private long contribution(Space of, long record) {
        if (of.keys().type(record) == Value.STRING) {
            return of.contribution(record);
        }
        Value changed = opened.isEmpty() ? null : opened(of, of.key(record));
        return of.contribution(record, (changed == null ? of.shelf().get(record) : changed).contentHash());
    }

    void save(StateOutput output) {
        output.writeLong(changes);
        spaces.save(output);
    }

    /** Gives the memory outside the heap back; nothing may follow. */
    void free() {
        spaces.close();
    }

    /** Loads into a database that is empty what a store of that version has saved. */
    void load(StateInput input, int version) {
        changes = input.readLong();
        spaces.load(input, version);
    }
}
