package io.slipstream.service.machine;

/**
 * The business logic of a service: one single-threaded, deterministic class.
 *
 * <p>All methods are called by one thread, in the order of the log. After a restart the same commands come again in the
 * same order and must lead to the same state, so a state machine uses nothing but its own fields and what it is given:
 * no clock, no random numbers of its own, no files, no threads. Time is {@link Command#timeNanos}.
 *
 * <p>A method that throws an exception fails that command with a reply that says so; what it has changed until then
 * stays changed, as it does when the log is replayed. If it has replied already, or nobody waits for a reply, the
 * exception goes to the thread's handler for uncaught exceptions, and the service goes on. An {@link Error} stops the
 * service.
 */
public interface StateMachine {
    /**
     * Applies a command. It may answer with {@link Output#reply}, once; without one the client gets an empty reply.
     *
     * @param command valid only during the call
     * @param output  valid only during the call
     */
    void onCommand(Command command, Output output);

    /**
     * Answers a question without changing anything; queries are not in the log.
     *
     * @throws UnsupportedOperationException unless overridden
     */
    default void onQuery(Command query, Output output) {
        throw new UnsupportedOperationException("this service answers no queries");
    }

    /**
     * Called when a session was opened. Its number is unique for ever. If this throws an exception, the session is not
     * opened, and its client is told why.
     */
    default void onSessionOpen(long session, long timeNanos) {
    }

    /**
     * Called when a session has ended, which it has whatever this throws: its client said so, or it was forgotten to
     * make room.
     */
    default void onSessionClose(long session, long timeNanos) {
    }

    /** Returns a hash of the whole state: equal states have equal hashes, however they came about. */
    long stateHash();
}
