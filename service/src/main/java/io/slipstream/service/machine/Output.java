package io.slipstream.service.machine;

import io.slipstream.service.protocol.Message;
import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;

/**
 * What a state machine may send. Sending has no result: a result would let the network influence the state.
 *
 * <p>A service implements all of it. A double of a test may leave out what has a default, which throws.
 *
 * <p>The bytes are copied before the call returns; there may be up to {@link #MAX_LENGTH} of them, and more for some
 * sessions: see {@link #longest}.
 */
public interface Output {
    /** The longest reply or event in bytes for whoever may come back and have it once more. */
    int MAX_LENGTH = Message.MAX_OUTPUT_BYTES - Message.HEADER_BYTES;

    /**
     * The longest reply or event in bytes for a session that ends with its connection, as Redis clients have it:
     * nothing is kept of it. No setting changes it, so that a machine meets the same limit when its log is replayed.
     */
    int MAX_LENGTH_UNKEPT = 1 << 26;

    /**
     * Answers the present command or query.
     *
     * @throws IllegalStateException     if it was answered already
     * @throws IllegalArgumentException  if {@code length} is negative or more than {@link #longest} says
     * @throws IndexOutOfBoundsException if the bytes are not all in {@code memory}; as above, nothing was sent then
     */
    void reply(MemorySegment memory, long offset, int length);

    /**
     * Returns how many bytes a reply or an event to a session may have at most: {@link #MAX_LENGTH}, or
     * {@link #MAX_LENGTH_UNKEPT}. It follows from the log, so a machine may decide by it: check before you change
     * anything that only the reply tells of.
     */
    default int longest(long session) {
        return MAX_LENGTH;
    }

    /** As {@link #reply(MemorySegment, long, int)}, with all of {@code payload}. */
    default void reply(byte[] payload) {
        reply(MemorySegment.ofArray(payload), 0, payload.length);
    }

    /**
     * Sends an event to a session, which may be that of the present command. An unknown session is ignored: it may have
     * ended.
     *
     * @throws IllegalStateException     during a query
     * @throws IllegalArgumentException  if {@code length} is negative or more than {@link #longest} says
     * @throws IndexOutOfBoundsException if the bytes are not all in {@code memory}; as above, nothing was sent then
     */
    void event(long session, MemorySegment memory, long offset, int length);

    /**
     * Tells the sender of the present command that it was not accepted, and why: a reply of another kind, which reaches
     * the client as a typed error. What the machine has changed stays changed, so check before you change.
     *
     * @param reason up to 1,024 bytes in UTF-8; the rest is cut
     * @throws IllegalStateException if the command was answered already
     */
    default void reject(String reason) {
        throw new UnsupportedOperationException("this output answers and sends events alone");
    }

    /**
     * Publishes an item of a topic to all its subscribers. Within {@link StateMachine#onSubscribe} it goes to the one
     * who subscribes, as part of the snapshot.
     *
     * @throws IllegalStateException    during a query
     * @throws IllegalArgumentException if {@code length} is negative or more than {@link #MAX_LENGTH}, or another topic
     *                                  than the one that is being subscribed to is meant
     */
    default void publish(long topic, MemorySegment memory, long offset, int length) {
        throw new UnsupportedOperationException("this output answers and sends events alone");
    }

    /** As {@link #publish(long, MemorySegment, long, int)}, with all of {@code payload}. */
    default void publish(long topic, byte[] payload) {
        publish(topic, MemorySegment.ofArray(payload), 0, payload.length);
    }

    /**
     * Sets a timer, or moves the one with that id: {@link StateMachine#onTimer} is called once log time has come to
     * {@code atNanos}, before the entry that brought it there. Timers with equal deadlines fire in the order in which
     * they were set; up to 1,024 fire with one entry, and the others with those behind it.
     *
     * <p>No timer fires with the entry in which it was set. A time that has passed means the present one: then it fires
     * with the next entry, and the service writes one at once if there is no other. Only when a timer that fires sets
     * one for the present time, the service waits 10 ms before that, so that a timer which always does so cannot fill
     * the log.
     *
     * @param atNanos since 1970, as {@link #timeNanos}
     * @throws IllegalStateException during a query or a subscription
     */
    default void schedule(long timer, long atNanos) {
        throw new UnsupportedOperationException("this output answers and sends events alone");
    }

    /**
     * Takes a timer back; returns whether it was set.
     *
     * @throws IllegalStateException during a query or a subscription
     */
    default boolean cancel(long timer) {
        throw new UnsupportedOperationException("this output answers and sends events alone");
    }

    /**
     * Returns random numbers that come again at every replay. They are no secrets.
     *
     * @throws IllegalStateException during a query or a subscription
     */
    default RandomGenerator random() {
        throw new UnsupportedOperationException("this output answers and sends events alone");
    }

    /** Returns the time of the present log entry, in nanoseconds since 1970; during a query that of the last one. */
    default long timeNanos() {
        throw new UnsupportedOperationException("this output answers and sends events alone");
    }

    /**
     * Returns the {@link StateMachine#version version} that the log has come to. One that is less than the machine's
     * own is that of an older log, which is being replayed, or of a cluster whose members do not all know the newer one
     * yet: what came of a command then has to come of it again.
     */
    default int version() {
        throw new UnsupportedOperationException("this output answers and sends events alone");
    }

    /** As {@link #event(long, MemorySegment, long, int)}, with all of {@code payload}. */
    default void event(long session, byte[] payload) {
        event(session, MemorySegment.ofArray(payload), 0, payload.length);
    }
}
