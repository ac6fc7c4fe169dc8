package io.slipstream.core.ring;

/**
 * Copies what an observer wants to know of an event.
 *
 * @param <E> type of the events
 * @param <T> type of the copy
 */
@FunctionalInterface
public interface EventCopier<E, T> {
    /**
     * Copies from {@code event} to {@code target}. The publisher may be overwriting the event at the same time, so the
     * copier must take any values whatever without failing or following references; what it copied then is discarded.
     */
    void copy(E event, T target);
}
