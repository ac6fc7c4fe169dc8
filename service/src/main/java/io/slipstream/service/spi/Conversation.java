package io.slipstream.service.spi;

import java.lang.foreign.MemorySegment;

/**
 * What is said with one client. The thread of its gateway makes all calls, and memory is valid only during a call.
 *
 * <p>A {@link RuntimeException} of either method ends this connection alone. A client that ends its stream gets the
 * answers to the requests that were complete; then the connection closes.
 */
public interface Conversation {
    /** Returned by {@link #decode} when the next request is not complete: it is called again when more has arrived. */
    int INCOMPLETE = 0;

    /**
     * Returned by {@link #decode} when the next request has to wait: for room, for the session, or for answers to
     * earlier ones. Nothing is read meanwhile. It is called again with the same bytes when something has changed.
     */
    int WAIT = -1;

    /**
     * As {@link #WAIT}, when the next request waits for something that no answer to an earlier request brings, and that
     * may never come. The gateway reads on, up to {@link Requests#maxBytes}, to see whether the client ends the
     * stream: then this connection closes, and what was waited for is not.
     */
    int IDLE = -2;

    /**
     * Takes one request out of the bytes that have arrived, and puts it to {@code requests}. It is called again for
     * what follows.
     *
     * <p>A request that is longer than the language allows must be refused with {@link Requests#error} as soon as that
     * shows. Whatever is still not complete at {@link Requests#maxBytes} ends the connection.
     *
     * @param memory    holds the bytes
     * @param offset    where they begin
     * @param length    how many there are, at least one
     * @param requests  what to do with them; for this connection
     * @param responses for what can be answered at once; for this connection
     * @return how many bytes were taken, {@link #INCOMPLETE}, {@link #WAIT} or {@link #IDLE}
     */
    int decode(MemorySegment memory, long offset, int length, Requests requests, Responses responses);

    /**
     * Writes a message of the service for the client; it may write nothing.
     *
     * <p>The message has the form that {@link io.slipstream.service.protocol.Message} draws, and a type of
     * {@link io.slipstream.service.protocol.MessageType}: {@code REPLY}, {@code EVENT}, {@code FAILED}, {@code BUSY},
     * {@code WELCOME} once the session is open, and {@code ERROR}, after which the gateway closes the connection.
     *
     * <p>A {@code REPLY} or {@code EVENT} of more than {@link io.slipstream.service.machine.Output#MAX_LENGTH} bytes,
     * as only a session that {@link Requests#open} has opened can get, comes in pieces, one behind the other: all but
     * the last say {@link io.slipstream.service.protocol.Message#hasMore}. Only {@code ERROR} can come in between, if
     * the connection is to end: the rest does not follow then.
     *
     * @param memory    holds the message
     * @param offset    of its header
     * @param length    with its header, without padding
     * @param responses takes the bytes
     */
    void encode(MemorySegment memory, long offset, int length, Responses responses);

    /** The connection has closed; nothing is called any more. */
    default void end() {
        // Most have nothing to give back.
    }
}
