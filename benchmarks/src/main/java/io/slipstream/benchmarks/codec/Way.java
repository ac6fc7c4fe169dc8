package io.slipstream.benchmarks.codec;

/** How one competitor writes and reads values of which there are {@link #COUNT}. */
interface Way {
    int COUNT = 1_024;

    /** Writes value {@code i} to the place that is kept for it and returns the number of bytes. */
    int write(int i) throws Exception;

    /** Reads what was written for value {@code i} and returns the sum of its fields. */
    long read(int i) throws Exception;

    /** Reads one field of it. */
    default long readPrice(int i) {
        throw new UnsupportedOperationException();
    }
}
