package io.slipstream.service.machine;

/**
 * The business logic of a service: one single-threaded, deterministic class.
 *
 * <p>All methods are called by one thread, in the order of the log. After a restart the same commands come again in the
 * same order and must lead to the same state, so a state machine uses nothing but its own fields and what it is given:
 * no clock, no random numbers of its own, no files, no threads. Time is {@link Request#timeNanos}.
 *
 * <p>A method that throws an exception fails that command with a reply that says so; what it has changed until then
 * stays changed, as it does when the log is replayed. What may not be done is no exception, but
 * {@link Output#reject}. Each exception goes into the log of the service. An {@link Error} stops the service.
 */
public interface StateMachine {
    /**
     * Applies a command. It may answer with {@link Output#reply}, once; without one the client gets an empty reply.
     *
     * @param command valid only during the call
     * @param output  valid only during the call
     */
    void onCommand(Request command, Output output);

    /**
     * Answers a question without changing anything; queries are not in the log.
     *
     * @throws UnsupportedOperationException unless overridden
     */
    default void onQuery(Request query, Output output) {
        throw new UnsupportedOperationException("this service answers no queries");
    }

    /**
     * Called when a timer fires that was set with {@link Output#schedule}. It is set no more, unless this sets it
     * again.
     *
     * @param output takes events, items and timers; there is nobody to reply to
     * @throws UnsupportedOperationException unless overridden
     */
    default void onTimer(long timer, Output output) {
        throw new UnsupportedOperationException("this service sets no timers");
    }

    /**
     * Publishes to {@code output} what a new subscriber of the topic needs to know, before it gets the items that come
     * from now on; changes nothing. By default that is nothing.
     *
     * @param command whose principal may decide whether this is allowed; it has no payload of the machine
     */
    default void onSubscribe(long topic, Request command, Output output) {}

    /**
     * Called when a session was opened. Its number is unique for ever. If this throws an exception, the session is not
     * opened, and its client is told why.
     *
     * @param principal who it belongs to, as the gateway has found out; empty if nobody was asked
     * @param output    takes events, items and timers; there is nobody to reply to
     */
    default void onSessionOpen(long session, String principal, Output output) {}

    /**
     * Called when a session has ended, which it has whatever this throws: its client said so, or it was forgotten to
     * make room.
     *
     * @param output takes events, items and timers; there is nobody to reply to
     */
    default void onSessionClose(long session, Output output) {}

    /**
     * Returns a hash of the whole state: equal states have equal hashes, however they came about. It is asked for while
     * commands wait, so it should be kept up to date with each change and not be computed from all of the state.
     */
    long stateHash();

    /**
     * Writes the whole state. {@link #load} of a new machine must lead to a state with the same {@link #stateHash}.
     *
     * @throws UnsupportedOperationException unless overridden; then there are no snapshots, and each start replays all
     */
    default void save(StateOutput output) {
        throw new UnsupportedOperationException("the state machine '" + name() + "' does not save its state");
    }

    /**
     * Reads what {@link #save} has written, in place of the initial state.
     *
     * @param version of the state machine that wrote it
     * @throws StateFormatException          if it cannot be read
     * @throws UnsupportedOperationException unless overridden
     */
    default void load(StateInput input, int version) {
        throw new UnsupportedOperationException("the state machine '" + name() + "' loads no state");
    }

    /**
     * Returns the name under which its log is kept: a log of another name is refused. It must not change as long as
     * there is a log; by default it is the simple name of the class, or all of its name if it has none.
     */
    default String name() {
        String simple = getClass().getSimpleName();
        return simple.isEmpty() ? getClass().getName() : simple;
    }

    /**
     * Returns the version of this code, from 0 on. A log or a snapshot of a newer version is refused. One that leads to
     * other states from the same commands needs a higher number, and must act as the former version did for as long as
     * {@link Output#version} says so. {@link #onUpgrade} is called where the log goes from one to the other.
     */
    default int version() {
        return 0;
    }

    /**
     * Returns the oldest version that this code can act as; by default that is 0. A log that has anything of an older
     * one, and a snapshot of it, is refused at the start, before anything is changed: serve it with the older code.
     */
    default int oldestVersion() {
        return 0;
    }

    /**
     * Called once, in the order of the log, when the service first runs with this version on a log of an older one; in
     * a cluster, when an operator says so. Whatever this throws stops the service.
     *
     * @param output takes events, items and timers; there is nobody to reply to
     */
    default void onUpgrade(int formerVersion, Output output) {}

    /**
     * Gives back what the garbage collector does not, such as memory outside the heap; by default that is nothing.
     * Called by whichever thread has done with it when a service has made this machine for a while only: to take a
     * snapshot of it, to check one, or to warm up. The machine that serves is not closed.
     */
    default void close() {}
}
