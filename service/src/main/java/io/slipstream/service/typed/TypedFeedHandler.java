package io.slipstream.service.typed;

import io.slipstream.service.client.FeedHandler;
import io.slipstream.service.client.ServiceException;

/**
 * Receives the events that are published to a topic, on the client's own thread and in order, as {@link FeedHandler}
 * does their bytes. It must not block.
 */
@FunctionalInterface
public interface TypedFeedHandler {
    /** A snapshot begins: what was received before no longer counts. */
    default void onSnapshot() {}

    /** A part of what is there already; by default the same as an item. */
    default void onSnapshotItem(Event event) {
        onItem(0, 0, event);
    }

    /** All that is there, or was missed, has been received; new items follow. */
    default void onLive() {}

    /**
     * Something was published. Sequence and index are its place, which {@link TypedClient#subscribe(long, long, int,
     * TypedFeedHandler)} goes on from.
     */
    void onItem(long sequence, int index, Event event);

    /** Nothing more comes: the service has refused the subscription, or the client has ended. */
    default void onEnd(ServiceException why) {}
}
