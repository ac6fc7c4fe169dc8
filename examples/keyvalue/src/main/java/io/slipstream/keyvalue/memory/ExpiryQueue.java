package io.slipstream.keyvalue.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The records that expire, as a binary heap outside Java's heap: the one that expires first is on top, of those at the
 * same time the first by its key. Each record knows its place, so that it can be moved and removed; for one thread.
 */
final class ExpiryQueue {
    private static final int PIECE_BITS = 10;
    private static final int PIECE_MASK = (1 << PIECE_BITS) - 1;

    private final Keyspace keys;
    private final Pages pages;
    private @Nullable MemorySegment[] pieces = new MemorySegment[16];
    private int count;

    ExpiryQueue(Keyspace keys, Pages pages) {
        this.keys = keys;
        this.pages = pages;
    }

    int count() {
        return count;
    }

    /** Returns the record that expires first, or 0. */
    long first() {
        return count == 0 ? 0 : get(0);
    }

    /** Adds a record, whose expiry is set. */
    void add(long record) {
        set(count, record);
        rise(count++);
    }

    /** Removes a record. */
    void remove(long record) {
        int place = keys.expiryPlace(record);
        long last = get(--count);
        if (place < count) {
            set(place, last);
            sink(place);
            rise(keys.expiryPlace(last));
        }
    }

    /** The expiry of a record has changed. */
    void changed(long record) {
        sink(keys.expiryPlace(record));
        rise(keys.expiryPlace(record));
    }

    /** A record is at another address; its content is what it was. */
    void moved(long record) {
        set(keys.expiryPlace(record), record);
    }

    /** Forgets all. The caller closes the pages. */
    void clear() {
        pieces = new MemorySegment[16];
        count = 0;
    }

    private void rise(int from) {
        long record = get(from);
        int place = from;
        while (place > 0) {
            int parent = (place - 1) / 2;
            long above = get(parent);
            if (!isBefore(record, above)) {
                break;
            }
            set(place, above);
            place = parent;
        }
        set(place, record);
    }

    private void sink(int from) {
        long record = get(from);
        int place = from;
        while (2 * place + 1 < count) {
            int child = 2 * place + 1;
            if (child + 1 < count && isBefore(get(child + 1), get(child))) {
                child++;
            }
            long below = get(child);
            if (!isBefore(below, record)) {
                break;
            }
            set(place, below);
            place = child;
        }
        set(place, record);
    }

    private boolean isBefore(long record, long other) {
        int byTime = Long.compare(keys.expiry(record), keys.expiry(other));
        return byTime < 0 || byTime == 0 && keys.compareKeys(record, other) < 0;
    }

    private long get(int place) {
        return piece(place >>> PIECE_BITS).getAtIndex(ValueLayout.JAVA_LONG, place & PIECE_MASK);
    }

    private void set(int place, long record) {
        piece(place >>> PIECE_BITS).setAtIndex(ValueLayout.JAVA_LONG, place & PIECE_MASK, record);
        keys.expiryPlace(record, place);
    }

    private MemorySegment piece(int number) {
        if (number >= pieces.length) {
            pieces = Arrays.copyOf(pieces, 2 * pieces.length);
        }
        MemorySegment piece = pieces[number];
        if (piece == null) {
            piece = pages.allocate((long) Long.BYTES << PIECE_BITS);
            pieces[number] = piece;
        }
        return piece;
    }
}
