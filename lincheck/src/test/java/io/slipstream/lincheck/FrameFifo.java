package io.slipstream.lincheck;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What a ring of frames does, one call at a time: a frame takes a multiple of 16 bytes in one piece, and what is left
 * of the memory before one that does not fit there is skipped. What is skipped takes room until the consumer meets it.
 */
public class FrameFifo {
    private static final int HEADER_BYTES = 8;
    private static final int ALIGNMENT = 16;

    private final ArrayDeque<Frame> frames = new ArrayDeque<>();
    private final int capacity;
    private final int room;
    private int end;
    private int used;

    /** Creates a ring of {@code capacity} bytes of which {@code room} may be in use. */
    FrameFifo(int capacity, int room) {
        this.capacity = capacity;
        this.room = room;
    }

    /** Publishes a message of {@code longs} longs that all hold {@code value}, if there is room. */
    public boolean offer(int value, int longs) {
        return claim(longs, value);
    }

    /** Publishes two messages of one long, side by side, if there is room for both. */
    public boolean offerTwo(int first, int second) {
        return claim(1, first, second);
    }

    private boolean claim(int longs, int... values) {
        int stride = (HEADER_BYTES + Long.BYTES * longs + ALIGNMENT - 1) & -ALIGNMENT;
        int bytes = values.length * stride;
        int padding = end + bytes > capacity ? capacity - end : 0;
        if (used + padding + bytes > room) {
            return false;
        }
        end = (end + padding + bytes) & (capacity - 1);
        used += padding + bytes;
        for (int value : values) {
            frames.add(new Frame(value, padding + stride));
            padding = 0;
        }
        return true;
    }

    /** Claims room for {@code longs} longs and gives it up; there is always room where this is called. */
    public boolean abort(int longs) {
        return true;
    }

    /** The same of two messages of one long. */
    public boolean abortTwo() {
        return true;
    }

    /** Takes the first message, or null. */
    public @Nullable Integer poll() {
        Frame first = frames.poll();
        if (first == null) {
            return null;
        }
        used -= first.bytes;
        return first.value;
    }

    private record Frame(int value, int bytes) {}
}
