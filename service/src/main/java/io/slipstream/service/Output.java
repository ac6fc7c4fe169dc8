package io.slipstream.service;

import java.lang.foreign.MemorySegment;

/**
 * What a state machine may send. Sending has no result: a result would let the network influence the state.
 *
 * <p>The bytes are copied before the call returns.
 */
public interface Output {
    /**
     * Answers the present command or query.
     *
     * @throws IllegalStateException if it was answered already
     */
    void reply(MemorySegment memory, long offset, int length);

    /**
     * Sends an event to a session, which may be that of the present command. An unknown session is ignored: it may have
     * ended.
     *
     * @throws IllegalStateException during a query
     */
    void event(long session, MemorySegment memory, long offset, int length);
}
