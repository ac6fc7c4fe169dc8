package io.slipstream.core.ring;

/**
 * Fills an event that was claimed.
 *
 * @param <E> type of the events
 * @param <A> type of what the caller of the publication passes along; so a writer need not capture anything
 */
@FunctionalInterface
public interface EventWriter<E, A> {
    /**
     * Writes into {@code event}. If it throws, the claim is aborted and consumers do not see the event.
     *
     * @param event      the event, with what its last use left in it
     * @param sequence   its position
     * @param attachment what the publisher passed along
     */
    void write(E event, long sequence, A attachment);
}
