package io.slipstream.keyvalue;

import io.slipstream.keyvalue.memory.Keyspace;
import io.slipstream.keyvalue.memory.SlabHeap;
import io.slipstream.keyvalue.resp.RedisError;
import io.slipstream.keyvalue.resp.Words;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Comparator;
import java.util.PriorityQueue;

/** The keys with their values and expiries, and a hash of all that is kept up to date; for one thread. */
final class Database {
    /** The longest value in bytes: it has to fit into a reply. */
    static final int MAX_VALUE = Output.MAX_LENGTH - 64;
    static final long TIMER = 1;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final byte STRING = 0;

    private record Expiry(long atMillis, byte[] key) {
    }

    private final Keyspace keys = new Keyspace();
    private final PriorityQueue<Expiry> expiries = new PriorityQueue<>(Comparator.comparingLong(Expiry::atMillis));
    private long hash;

    Keyspace keys() {
        return keys;
    }

    long hash() {
        return hash;
    }

    long find(Words words, int i) {
        return keys.find(words.memory(), words.offset(i), words.length(i));
    }

    /** Makes room for a value under word {@code i}; fill it, and then call {@link #written}. */
    long put(Words words, int i, long valueLength, long version) {
        if (valueLength > MAX_VALUE || Keyspace.KEY_OFFSET + words.length(i) + valueLength > SlabHeap.MAX_BYTES) {
            throw RedisError.TOO_LONG;
        }
        long old = find(words, i);
        if (old != 0) {
            hash -= hashOf(old);
        }
        return keys.put(words.memory(), words.offset(i), words.length(i), STRING, (int) valueLength, version);
    }

    void written(long record) {
        hash += hashOf(record);
    }

    /** Puts a value in place of all that was there, its expiry included. */
    long set(Words words, int key, MemorySegment from, long offset, int length, long version) {
        long record = put(words, key, length, version);
        MemorySegment.copy(from, offset, keys.memory(record), keys.valueOffset(record), length);
        keys.expiry(record, 0);
        written(record);
        return record;
    }

    boolean remove(Words words, int i) {
        return remove(words.memory(), words.offset(i), words.length(i));
    }

    private boolean remove(MemorySegment memory, long offset, int length) {
        long record = keys.find(memory, offset, length);
        if (record == 0) {
            return false;
        }
        hash -= hashOf(record);
        return keys.remove(memory, offset, length);
    }

    /** Lets a key expire at that time, or never if that is 0. */
    void expire(long record, long atMillis, Output output) {
        hash -= hashOf(record);
        keys.expiry(record, atMillis);
        hash += hashOf(record);
        if (atMillis != 0) {
            enqueue(record, atMillis);
            schedule(output);
        }
    }

    /** Removes what has expired, and sets the timer for what expires next. */
    void onTimer(Output output) {
        long now = output.timeNanos() / NANOS_PER_MILLI;
        for (Expiry next = expiries.peek(); next != null && next.atMillis <= now; next = expiries.peek()) {
            expiries.remove();
            MemorySegment key = MemorySegment.ofArray(next.key);
            long record = keys.find(key, 0, next.key.length);
            if (record != 0 && keys.expiry(record) == next.atMillis) {
                remove(key, 0, next.key.length);
            }
        }
        schedule(output);
    }

    void clear() {
        keys.clear();
        expiries.clear();
        hash = 0;
    }

    void save(StateOutput output) {
        output.writeLong(keys.count());
        for (long cursor = 0; cursor < Keyspace.END; cursor = keys.nextSlot(cursor)) {
            for (long record = keys.first(cursor); record != 0; record = keys.next(record)) {
                output.writeLong(keys.version(record));
                output.writeLong(keys.expiry(record));
                output.writeInt(keys.keyLength(record));
                output.writeInt(keys.valueLength(record));
                output.write(keys.memory(record), keys.keyOffset(record),
                        (long) keys.keyLength(record) + keys.valueLength(record));
            }
        }
    }

    void load(StateInput input) {
        clear();
        long count = input.readLong();
        for (long i = 0; i < count; i++) {
            long version = input.readLong();
            long expiry = input.readLong();
            byte[] key = new byte[input.readInt()];
            int valueLength = input.readInt();
            MemorySegment keyMemory = MemorySegment.ofArray(key);
            input.read(keyMemory, 0, key.length);
            long record = keys.put(keyMemory, 0, key.length, STRING, valueLength, version);
            input.read(keys.memory(record), keys.valueOffset(record), valueLength);
            keys.expiry(record, expiry);
            if (expiry != 0) {
                expiries.add(new Expiry(expiry, key));
            }
            written(record);
        }
    }

    private void enqueue(long record, long atMillis) {
        if (expiries.size() > 2 * keys.expiring() + 64) {
            expiries.removeIf(each -> {
                long its = keys.find(MemorySegment.ofArray(each.key), 0, each.key.length);
                return its == 0 || keys.expiry(its) != each.atMillis;
            });
        }
        expiries.add(new Expiry(atMillis, keys.memory(record).asSlice(keys.keyOffset(record), keys.keyLength(record))
                .toArray(ValueLayout.JAVA_BYTE)));
    }

    private void schedule(Output output) {
        Expiry next = expiries.peek();
        if (next != null) {
            output.schedule(TIMER, next.atMillis * NANOS_PER_MILLI);
        }
    }

    private long hashOf(long record) {
        MemorySegment memory = keys.memory(record);
        long mixed = keys.keyLength(record) * 31L + keys.expiry(record);
        long end = keys.valueOffset(record) + keys.valueLength(record);
        long at = keys.keyOffset(record);
        for (; at + Long.BYTES <= end; at += Long.BYTES) {
            mixed = mix(mixed ^ memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at));
        }
        for (; at < end; at++) {
            mixed = mix(mixed ^ memory.get(ValueLayout.JAVA_BYTE, at));
        }
        return mix(mixed);
    }

    private static long mix(long value) {
        long mixed = (value ^ value >>> 32) * 0x9E37_79B9_7F4A_7C15L;
        return mixed ^ mixed >>> 29;
    }
}
