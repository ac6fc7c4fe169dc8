package io.slipstream.core.frame;

import java.lang.foreign.MemorySegment;

/**
 * Fills a frame that was claimed.
 *
 * @param <A> type of what the caller of the publication passes along; so a writer need not capture anything
 */
@FunctionalInterface
public interface FrameWriter<A> {
    /**
     * Writes the message. If it throws, the claim is aborted and consumers do not see the frame.
     *
     * @param memory     the ring's own
     * @param offset     of the first byte of the message in {@code memory}; the header lies before it
     * @param length     of the message in bytes
     * @param attachment what the publisher passed along
     */
    void write(MemorySegment memory, long offset, int length, A attachment);
}
