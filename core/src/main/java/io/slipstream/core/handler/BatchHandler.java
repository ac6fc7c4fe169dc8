package io.slipstream.core.handler;

import io.slipstream.core.ring.RingBuffer;

/**
 * Consumes events by the range.
 *
 * @param <E> type of the events
 */
@FunctionalInterface
public interface BatchHandler<E> extends StageListener {
    /**
     * Handles all events from {@code first} to {@code end - 1}, which are at {@link RingBuffer#get}; none of them was
     * aborted.
     *
     * @throws Exception what happens then is up to the stage's {@link ExceptionPolicy}, to which the whole range is one
     *                   event
     */
    void onBatch(RingBuffer<E> events, long first, long end) throws Exception;
}
