package io.slipstream.keyvalue.value;

import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateOutput;
import org.jspecify.annotations.Nullable;

/**
 * Names an entry of a stream: {@code 1700000000000-0}. Both numbers are unsigned.
 *
 * @param millis   when it was added, in milliseconds since 1970, unless its client has said otherwise
 * @param sequence its number among those of the same millisecond
 */
public record StreamId(long millis, long sequence) implements Comparable<StreamId> {
    /** The least; no entry has it. */
    public static final StreamId ZERO = new StreamId(0, 0);

    /** The greatest. */
    public static final StreamId MAX = new StreamId(-1, -1);

    /** Returns the next greater one, or null behind the greatest. */
    public @Nullable StreamId next() {
        return equals(MAX) ? null : sequence == -1 ? new StreamId(millis + 1, 0) : new StreamId(millis, sequence + 1);
    }

    /** Returns the next smaller one, or null before the least. */
    public @Nullable StreamId previous() {
        return equals(ZERO) ? null : sequence == 0 ? new StreamId(millis - 1, -1) : new StreamId(millis, sequence - 1);
    }

    /** Returns whether this is greater than the other one. */
    public boolean isAfter(StreamId other) {
        return compareTo(other) > 0;
    }

    long mixed() {
        return Bytes.mix(millis * 31 + Bytes.mix(sequence));
    }

    void save(StateOutput output) {
        output.writeLong(millis);
        output.writeLong(sequence);
    }

    static StreamId load(StateInput input) {
        return new StreamId(input.readLong(), input.readLong());
    }

    @Override
    public int compareTo(StreamId other) {
        int byMillis = Long.compareUnsigned(millis, other.millis);
        return byMillis != 0 ? byMillis : Long.compareUnsigned(sequence, other.sequence);
    }

    @Override
    public String toString() {
        return Long.toUnsignedString(millis) + "-" + Long.toUnsignedString(sequence);
    }
}
