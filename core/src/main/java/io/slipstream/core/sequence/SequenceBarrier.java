package io.slipstream.core.sequence;

/**
 * How far a consumer may read: as far as was published, or as far as the consumers before it have come.
 *
 * <p>Callable by any thread. What publishers and earlier consumers did up to the returned position is visible to the
 * caller. Some of it may have been aborted: a consumer of its own making asks the ring whether an event was, or skips
 * frames of a negative length.
 */
public interface SequenceBarrier {
    /**
     * Returns the end of what may be read from {@code next} on: {@code next} itself, or less, if there is nothing.
     *
     * @param next the position that the consumer stands at
     * @param most looking further than this many positions ahead is a waste; the answer may lie beyond all the same,
     *             and a barrier of its own accord may look less far
     */
    long available(long next, int most);
}
