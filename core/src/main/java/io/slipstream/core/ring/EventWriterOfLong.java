package io.slipstream.core.ring;

/**
 * Fills an event that was claimed from a number, which is not boxed.
 *
 * @param <E> type of the events
 */
@FunctionalInterface
public interface EventWriterOfLong<E> {
    /** Writes into {@code event}. If it throws, the claim is aborted and consumers do not see the event. */
    void write(E event, long sequence, long value);
}
