package io.slipstream.keyvalue.memory;

import io.slipstream.keyvalue.value.Bytes;
import io.slipstream.keyvalue.value.PackedForm;
import io.slipstream.keyvalue.value.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The collections of the keys, for one thread. A small one is packed into the record of its key, outside the heap; a
 * large one is an object, and the record says where.
 *
 * <pre>
 *   value of a record   0 | packed form           1 | place (int)
 * </pre>
 *
 * One that has grown large is packed again once it is half as large as the largest that is packed.
 */
public final class Shelf {
    private static final byte PACKED = 0;
    private static final byte PLACED = 1;
    private static final int PLACED_BYTES = 1 + Integer.BYTES;

    private final Keyspace keys;
    private final PackedForm form = new PackedForm();
    private final List<@Nullable Large> large = new ArrayList<>();
    private final Deque<Integer> free = new ArrayDeque<>();
    private long heapBytes;

    /** A collection on the heap, and how many bytes are counted for it. */
    private record Large(Value value, long bytes) {}

    /** Creates an empty one for the keys. */
    public Shelf(Keyspace keys) {
        this.keys = keys;
    }

    /** Returns roughly how many bytes of the heap all take. */
    public long heapBytes() {
        return heapBytes;
    }

    /** Returns roughly how many bytes of the heap that of a record takes. */
    public long heapBytes(long record) {
        return isPacked(record) ? 0 : at(record).bytes;
    }

    /** Returns the collection of a record; changes are kept once it is put. */
    public Value get(long record) {
        return isPacked(record)
                ? form.unpack(
                        keys.type(record),
                        keys.memory(record),
                        keys.valueOffset(record) + 1,
                        keys.valueLength(record) - 1)
                : at(record).value;
    }

    /**
     * Gives a key a collection, in place of the one that it has, if any.
     *
     * @return the record
     */
    public long put(Bytes key, Value value, long version) {
        return put(keys.find(MemorySegment.ofArray(key.array()), 0, key.array().length), key, value, version);
    }

    /** As {@link #put(Bytes, Value, long)}, with the present record of the key, or 0. */
    public long put(long present, Bytes key, Value value, long version) {
        long record = present;
        boolean isPlaced = record != 0 && !isPacked(record);
        int size = form.pack(value, isPlaced ? PackedForm.MAX_BYTES / 2 : PackedForm.MAX_BYTES);
        if (size >= 0) {
            if (isPlaced) {
                release(record);
            }
            byte[] name = key.array();
            record = keys.put(MemorySegment.ofArray(name), 0, name.length, value.type(), 1 + size, version);
            MemorySegment memory = keys.memory(record);
            memory.set(ValueLayout.JAVA_BYTE, keys.valueOffset(record), PACKED);
            MemorySegment.copy(form.memory(), 0, memory, keys.valueOffset(record) + 1, size);
        } else if (isPlaced) {
            place(place(record), value);
            keys.version(record, version);
        } else {
            record = placeNew(key, value, version);
        }
        return record;
    }

    /**
     * Gives a key that is not there a collection that {@link #put} has packed, or has not.
     *
     * @return the record
     */
    public long load(Bytes key, Value value, boolean isPacked, long version) {
        return isPacked ? put(key, value, version) : placeNew(key, value, version);
    }

    private long placeNew(Bytes key, Value value, long version) {
        int place = free.isEmpty() ? large.size() : free.pop();
        if (place == large.size()) {
            large.add(null);
        }
        place(place, value);
        byte[] name = key.array();
        long record = keys.put(MemorySegment.ofArray(name), 0, name.length, value.type(), PLACED_BYTES, version);
        MemorySegment memory = keys.memory(record);
        memory.set(ValueLayout.JAVA_BYTE, keys.valueOffset(record), PLACED);
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, keys.valueOffset(record) + 1, place);
        return record;
    }

    private void place(int place, Value value) {
        Large former = large.get(place);
        long bytes = value.bytes();
        if (former == null || former.bytes != bytes || former.value != value) {
            heapBytes += bytes - (former == null ? 0 : former.bytes);
            large.set(place, new Large(value, bytes));
        }
    }

    /** Forgets the collection of a record that is about to be removed. */
    public void release(long record) {
        if (!isPacked(record)) {
            heapBytes -= at(record).bytes;
            large.set(place(record), null);
            free.push(place(record));
        }
    }

    /** Forgets all. */
    public void clear() {
        large.clear();
        free.clear();
        heapBytes = 0;
    }

    /** Returns whether the collection of a record is packed into it. */
    public boolean isPacked(long record) {
        return keys.memory(record).get(ValueLayout.JAVA_BYTE, keys.valueOffset(record)) == PACKED;
    }

    private int place(long record) {
        return keys.memory(record).get(ValueLayout.JAVA_INT_UNALIGNED, keys.valueOffset(record) + 1);
    }

    private Large at(long record) {
        Large found = large.get(place(record));
        if (found == null) {
            throw new IllegalStateException("a record refers to place " + place(record) + ", where nothing is");
        }
        return found;
    }
}
