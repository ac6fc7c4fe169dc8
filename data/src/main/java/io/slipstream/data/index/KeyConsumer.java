package io.slipstream.data.index;

import java.lang.foreign.MemorySegment;

/** Takes an entry of an index of bytes. */
@FunctionalInterface
public interface KeyConsumer {
    /** Takes a key, which lies in {@code memory} during the call alone, and its value. */
    void accept(MemorySegment memory, long offset, int length, long value);
}
