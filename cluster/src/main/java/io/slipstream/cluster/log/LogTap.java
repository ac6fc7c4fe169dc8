package io.slipstream.cluster.log;

import java.lang.foreign.MemorySegment;

/** The way to the leader. For one thread. */
public interface LogTap extends AutoCloseable {
    /** Keeps the way open; returns how much it did. */
    int work();

    /** Returns whether something may be offered. */
    boolean isOpen();

    /** Returns, once, whether the way has changed since, so that what was offered before may be lost. */
    boolean hasChanged();

    /**
     * Offers an entry; returns whether it was taken, which does not mean that it arrives.
     *
     * @param entry native, from its first byte on; good until this returns
     */
    boolean offer(MemorySegment entry, int length);

    @Override
    void close();
}
