package io.slipstream.data.index;

/** Look-ups of many keys: the buckets of some are loaded side by side, and then searched. */
final class KeyBatch {
    /** Of which the buckets are loaded at a time: about as many as a processor waits for at once. */
    static final int KEYS = 16;

    private KeyBatch() {}

    static void require(long[] keys, long[] values) {
        if (keys.length != values.length) {
            throw new IllegalArgumentException(
                    keys.length + " keys, but room for " + values.length + " values; give arrays of one length");
        }
        if (keys == values) {
            throw new IllegalArgumentException("the keys and their values are one array; give two");
        }
    }
}
