package io.slipstream.log.output;

import java.lang.foreign.MemorySegment;

/**
 * Writes events. For the thread of the back end. Nothing here throws because of the device: what is lost is counted.
 */
public interface Output extends AutoCloseable {
    /** Writes the frames side by side from {@code offset} on, and hands them to the operating system. */
    void write(MemorySegment memory, long offset, int bytes);

    /** Does what is due when nothing else is, about once a second. */
    void tick();

    @Override
    void close();
}
