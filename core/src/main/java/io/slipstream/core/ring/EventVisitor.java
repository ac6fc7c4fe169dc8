package io.slipstream.core.ring;

/** Receives the events of one poll. */
@FunctionalInterface
public interface EventVisitor<E> {
    /**
     * Handles one event.
     *
     * @return whether to go on with the next; after false the poll ends, and this event counts as handled
     */
    boolean onEvent(E event, long sequence, boolean endOfBatch) throws Exception;
}
