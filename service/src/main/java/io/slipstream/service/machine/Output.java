package io.slipstream.service.machine;

import io.slipstream.service.protocol.Message;

import java.lang.foreign.MemorySegment;

/**
 * What a state machine may send. Sending has no result: a result would let the network influence the state.
 *
 * <p>The bytes are copied before the call returns; there may be up to {@link #MAX_LENGTH} of them.
 */
public interface Output {
    /** The longest reply or event in bytes. */
    int MAX_LENGTH = Message.MAX_OUTPUT_BYTES - Message.HEADER_BYTES;

    /**
     * Answers the present command or query.
     *
     * @throws IllegalStateException     if it was answered already
     * @throws IllegalArgumentException  if {@code length} is negative or more than {@link #MAX_LENGTH}
     * @throws IndexOutOfBoundsException if the bytes are not all in {@code memory}; as above, nothing was sent then
     */
    void reply(MemorySegment memory, long offset, int length);

    /** As {@link #reply(MemorySegment, long, int)}, with all of {@code payload}. */
    default void reply(byte[] payload) {
        reply(MemorySegment.ofArray(payload), 0, payload.length);
    }

    /**
     * Sends an event to a session, which may be that of the present command. An unknown session is ignored: it may have
     * ended.
     *
     * @throws IllegalStateException     during a query
     * @throws IllegalArgumentException  if {@code length} is negative or more than {@link #MAX_LENGTH}
     * @throws IndexOutOfBoundsException if the bytes are not all in {@code memory}; as above, nothing was sent then
     */
    void event(long session, MemorySegment memory, long offset, int length);

    /** As {@link #event(long, MemorySegment, long, int)}, with all of {@code payload}. */
    default void event(long session, byte[] payload) {
        event(session, MemorySegment.ofArray(payload), 0, payload.length);
    }
}
