package io.slipstream.benchmarks.suite;

import java.io.IOException;

/** Two competitors with their data, ready to run. */
public interface Contest extends AutoCloseable {
    /**
     * Runs one round of ours and returns its figure.
     *
     * @throws Exception if it failed, or if its answer is wrong
     */
    double ours() throws Exception;

    /**
     * Runs one round of the peer and returns its figure.
     *
     * @throws Exception if it failed, or if its answer is wrong
     */
    double peer() throws Exception;

    @Override
    default void close() throws IOException {
        // Most have nothing to close.
    }
}
