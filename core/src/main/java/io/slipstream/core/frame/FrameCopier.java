package io.slipstream.core.frame;

import java.lang.foreign.MemorySegment;

/**
 * Copies what an observer wants to know of a frame.
 *
 * @param <T> type of the copy
 */
@FunctionalInterface
public interface FrameCopier<T> {
    /**
     * Copies from the frame to {@code target}. The length is right, but a publisher may be overwriting the message at
     * the same time, so the copier must take any bytes whatever without failing; what it copied then is discarded.
     *
     * @param memory the ring's own
     * @param offset of the frame's header in {@code memory}
     * @param length of header and message in bytes
     * @param target where to copy to
     */
    void copy(MemorySegment memory, long offset, int length, T target);
}
