package io.slipstream.core.thread;

/**
 * A unit of work that one thread owns. Processors of rings, writers of journals and gateways are duties.
 *
 * <p>All methods are called by the worker's thread, so a duty needs no synchronisation of its own.
 */
@FunctionalInterface
public interface Duty {
    /**
     * Does what there is to do, in bounded time and without blocking.
     *
     * @return how much was done; 0 lets the worker wait, and so does a negative number, which counts as 0
     * @throws Exception if something went wrong; the {@link DutyPolicy} says who goes on, and the worker tells
     */
    int work() throws Exception;

    /** Called once before the first {@link #work}. */
    default void onStart() throws Exception {}

    /** Called once after the last {@link #work}, also if a duty has failed; not called if {@link #onStart} was not. */
    default void onStop() throws Exception {}
}
