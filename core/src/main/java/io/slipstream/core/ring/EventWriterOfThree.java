package io.slipstream.core.ring;

/**
 * Fills an event that was claimed from three objects, which the caller of the publication passes along; as
 * {@link EventWriter} does from one.
 *
 * @param <E> type of the events
 * @param <A> type of the first of them
 * @param <B> type of the second of them
 * @param <C> type of the third of them
 */
@FunctionalInterface
public interface EventWriterOfThree<E, A, B, C> {
    /** Writes into {@code event}. If it throws, the claim is aborted and consumers do not see the event. */
    void write(E event, long sequence, A first, B second, C third);
}
