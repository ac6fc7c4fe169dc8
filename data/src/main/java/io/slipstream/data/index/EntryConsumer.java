package io.slipstream.data.index;

/** Takes an entry of an index. */
@FunctionalInterface
public interface EntryConsumer {
    /** Takes a key and its value. */
    void accept(long key, long value);
}
