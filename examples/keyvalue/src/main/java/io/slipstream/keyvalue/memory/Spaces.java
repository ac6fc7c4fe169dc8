package io.slipstream.keyvalue.memory;

import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** The databases by their numbers. One that was never selected is empty, as one is that has lost its keys. */
public final class Spaces implements AutoCloseable {
    /* Up to the highest that was selected. */
    private final List<Space> made = new ArrayList<>();

    /** Creates them, all empty. */
    public Spaces() {
        get(0);
    }

    /** Returns the one of that number, from 0 on. */
    public Space get(int number) {
        while (made.size() <= number) {
            made.add(new Space(made.size()));
        }
        return made.get(number);
    }

    /** Returns those up to the highest that was ever selected. */
    public List<Space> made() {
        return made;
    }

    /** A key of a database that may have none is asked for soon; as {@link Space#expect}. */
    public void expect(int number, MemorySegment memory, long offset, int length, int nameLength) {
        if (number < made.size()) {
            made.get(number).expect(memory, offset, length, nameLength);
        }
    }

    /** Brings what was expected into the cache. */
    public void prefetch() {
        for (int i = 0; i < made.size(); i++) {
            made.get(i).prefetch();
        }
    }

    /** Lets each of two have what was the other's. */
    public void swap(int one, int other) {
        Space first = get(one);
        Space second = get(other);
        first.number(other);
        second.number(one);
        made.set(one, second);
        made.set(other, first);
    }

    /** Returns the hash of all that is in them. */
    public long hash() {
        long hash = 0;
        for (int i = 0; i < made.size(); i++) {
            hash += made.get(i).hash();
        }
        return hash;
    }

    /** Returns how many bytes keys and values take. */
    public long usedBytes() {
        long bytes = 0;
        for (int i = 0; i < made.size(); i++) {
            bytes += made.get(i).usedBytes();
        }
        return bytes;
    }

    /** Returns how many bytes were taken from the system. */
    public long reservedBytes() {
        return made.stream().mapToLong(each -> each.keys().reservedBytes()).sum();
    }

    /** Returns that whose key expires first, of those at the same time the one of the lowest number. */
    public Space firstExpiring() {
        Space first = made.get(0);
        for (int i = 1; i < made.size(); i++) {
            Space other = made.get(i);
            long at = other.firstExpiryMillis();
            if (at != 0 && (first.firstExpiryMillis() == 0 || at < first.firstExpiryMillis())) {
                first = other;
            }
        }
        return first;
    }

    /**
     * Returns one that is hit the more often the more keys it has.
     *
     * @param random a number from 0 to 2^32 - 1
     */
    public Space some(long random) {
        long keys = 0;
        for (Space each : made) {
            keys += each.keys().count();
        }
        long left = Math.multiplyHigh(random << 31, keys << 1);
        for (Space each : made) {
            left -= each.keys().count();
            if (left < 0) {
                return each;
            }
        }
        return made.get(0);
    }

    /** Gives the memory outside the heap back; nothing may follow. */
    @Override
    public void close() {
        made.forEach(Space::close);
    }

    /** Writes the first, and the others that have keys. */
    public void save(StateOutput output) {
        made.get(0).save(output);
        for (Space each : made) {
            if (each.number() > 0 && each.keys().count() > 0) {
                output.writeByte((byte) each.number());
                each.save(output);
            }
        }
        output.writeByte((byte) 0);
    }

    /** Loads into empty ones what a store of that version has saved; the first knew the first database alone. */
    public void load(StateInput input, int version) {
        get(0).load(input);
        if (version >= 2) {
            for (byte number = input.readByte(); number != 0; number = input.readByte()) {
                get(number).load(input);
            }
        }
    }
}
