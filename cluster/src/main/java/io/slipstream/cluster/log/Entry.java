package io.slipstream.cluster.log;

import java.nio.ByteBuffer;

/** An entry of the log, wherever that has it. */
public interface Entry {
    /** Returns how many bytes it has. */
    int length();

    /** Copies {@code count} of its bytes, from {@code at} on, to the beginning of {@code to}. */
    void copy(int at, ByteBuffer to, int count);
}
