package io.slipstream.benchmarks.ring;

import java.io.Closeable;
import java.io.IOException;

/** Another transport of frames between threads. */
interface FramePeer extends Closeable {
    /** Sends {@code each} frames from each of some publishers to the calling thread; returns the sum that it has computed. */
    long run(int publishers, long each) throws Exception;

    @Override
    default void close() throws IOException {
        // Most have nothing to close.
    }
}
