package io.slipstream.benchmarks.ring;

import java.io.Closeable;
import java.io.IOException;

/** Another transport of frames between threads. */
interface FramePeer extends Closeable {
    /** Sends {@code each} frames from each of some publishers to the calling thread. */
    Round run(int publishers, long each) throws Exception;

    /**
     * What came out.
     *
     * @param sum   that the consumer has computed
     * @param nanos from the start of the publishers to the last frame; what is made before and closed after does not
     *         count
     */
    record Round(long sum, long nanos) {}

    @Override
    default void close() throws IOException {
        // Most have nothing to close.
    }
}
