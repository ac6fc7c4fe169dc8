package io.slipstream.service.spi;

import io.slipstream.service.protocol.FailureCode;
import java.lang.foreign.MemorySegment;

/**
 * What a client may ask a service for. Use it only within {@link Conversation#decode}.
 *
 * <p>A connection has a session before it has commands. A client that can come back names a key of its own and resumes
 * the session of that key; for all others {@link #open} opens one that ends with the connection.
 */
public interface Requests {
    /** Returned by {@link #claim} when nothing more is taken at present: refuse the request, or wait. */
    long NO_ROOM = -1;

    /** Returns the session of this connection, or 0 as long as it has none. */
    long session();

    /** Returns whether a session was asked for on this connection. */
    boolean isOpening();

    /**
     * Says who the client is. A conversation that never calls it logs in with what TLS knows of the client when it asks
     * for a session.
     *
     * @param token the client's secret; empty for none
     * @return whether the client may go on; if not, the connection ends, and the client was told so
     */
    boolean login(byte[] token);

    /**
     * Returns whether the service wants a token that this client has not shown yet: it has not logged in, and TLS does
     * not know it. A language that has words for it may refuse requests until then; {@link #open} would end the
     * connection.
     */
    default boolean needsLogin() {
        return false;
    }

    /**
     * Says that the client keeps the rules of {@link io.slipstream.service.protocol.Hello#REVISION}: that it is never
     * silent for long, and understands that it was subscribed anew. A language that has no such rules never calls it.
     */
    default void revision(int revision) {}

    /**
     * Says what the records of the client look like, for a service that has records to compare them with; once on a
     * connection. A language that has no records never calls it.
     *
     * @param fingerprint of the definitions
     * @param definitions as text
     * @return whether the client may go on; if not, the connection ends, and the client was told what differs
     */
    default boolean schema(long fingerprint, String definitions) {
        return true;
    }

    /** Returns the address of the client, for people to read. */
    default String remote() {
        return "";
    }

    /**
     * Asks for a session that ends with this connection; {@code WELCOME} tells that it is open.
     *
     * @return whether there was room; if not, try again later
     */
    boolean open();

    /**
     * Returns whether the log had no room for the session that was asked for. Until {@link #open} or {@link #resume}
     * has got one, {@link #session} is 0, and queries are taken without: they need no entry in the log. Such a query
     * has a negative session that nobody knows, and no principal. Whoever wants more than to ask has to be refused, or
     * to wait.
     */
    default boolean isOutOfLog() {
        return false;
    }

    /**
     * Asks for the session of {@code key}, which is opened if there is none; {@code WELCOME} tells that it is open, and
     * what the client has not seen yet follows.
     *
     * @param key          the client's secret, at random and not 0
     * @param lastSequence of the last output that the client has seen; 0 for none
     * @param lastIndex    of the last output that the client has seen
     * @param number       the client's own number of the connection, see {@link
     *                     io.slipstream.service.protocol.ConnectionNumbers}; 0 for none
     * @return whether there was room; if not, try again later
     */
    boolean resume(long key, long lastSequence, int lastIndex, long number);

    /**
     * Returns how many requests of this connection are not answered yet. A language whose answers come in the order of
     * the requests must not answer by itself, nor refuse, before this is 0: {@link Conversation#WAIT} until then.
     */
    int pending();

    /** Returns the largest request in bytes, payload alone, that there may be. */
    int maxPayloadLength();

    /**
     * Returns how many bytes of one request a decoder sees at most; one that is not complete by then ends the
     * connection.
     */
    int maxBytes();

    /**
     * Claims room for the payload of a request of this connection's session. Write it to {@link #memory} at the
     * returned offset, and then {@link #publish} it, within the same call of {@link Conversation#decode}.
     *
     * @param type        {@code COMMAND}, {@code QUERY}, {@code STATUS}, {@code BYE}, {@code SUBSCRIBE} or
     *                    {@code UNSUBSCRIBE} of
     *                    {@link io.slipstream.service.protocol.MessageType}
     * @param correlation the client's number of the request, which its answer carries. Of commands it must grow within
     *                    a session: one that came before is taken for a resend, and not applied again
     *                    (a session from {@link #open} gets {@code FAILED} for it, since no answers are kept for it)
     * @param length      of the payload in bytes
     * @return the offset, or {@link #NO_ROOM}
     * @throws IllegalStateException    if the session is not open, unless it is a query and {@link #isOutOfLog} is true
     * @throws IllegalArgumentException if the length is negative or more than {@link #maxPayloadLength}
     */
    long claim(short type, long correlation, int length);

    /** Returns the memory that {@link #claim} gives offsets in. */
    MemorySegment memory();

    /** Hands the claimed request on, if the client has the right to messages of its type. */
    void publish();

    /**
     * As {@link #publish()}, for a language with finer commands than the native one: what asks for a right is not the
     * type of the message, but {@code right}.
     *
     * @param right a type of message, as {@link #permits} takes it
     */
    void publish(short right);

    /**
     * Returns whether the client may send a message of type {@code right}, such as {@code QUERY}; if not, it goes into
     * the audit, and the caller refuses what it was for.
     *
     * @param right   {@code COMMAND}, {@code QUERY} or {@code SUBSCRIBE}; everybody has the right to {@code STATUS}
     * @param payload holds what is asked for
     * @param offset  where that begins
     * @param length  how many bytes it has; a right to some commands alone does not permit an empty one
     */
    boolean permits(short right, MemorySegment payload, long offset, int length);

    /** As {@link #claim} and {@link #publish} with the payload copied in between; returns whether there was room. */
    default boolean offer(short type, long correlation, MemorySegment payload, long offset, int length) {
        long at = claim(type, correlation, length);
        if (at == NO_ROOM) {
            return false;
        }
        MemorySegment.copy(payload, offset, memory(), at, length);
        publish();
        return true;
    }

    /**
     * Returns the time of day of the service in nanoseconds since 1970, which does not follow a clock that leaps: for
     * queries, which are not in the log and have no time from there.
     */
    long epochNanos();

    /** Returns whether the service is about to close, so that waiting for room is in vain. */
    boolean isClosing();

    /**
     * Refuses a request because there is no room, and counts it; {@code BUSY} with a time to come back goes to the
     * client.
     */
    void busy(long correlation);

    /** Refuses a request for another reason, which goes to the client as {@code FAILED}. */
    void fail(long correlation, FailureCode code, String text);

    /** Ends the conversation: the client gets {@code ERROR}, and then the connection closes. */
    void error(FailureCode code, String text);

    /** Closes the connection when the client has what was written. */
    void close();

    /**
     * As {@link #close()}, for the connection of another session; returns whether there is one. Where a service has
     * several gateway threads, a connection that is at another one closes a moment later, and this returns true for
     * each session that is not at this one.
     */
    default boolean close(long session) {
        return false;
    }
}
