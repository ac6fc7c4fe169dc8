package io.slipstream.service.client;

import java.lang.foreign.MemorySegment;

/**
 * Receives what is published to a topic, on the client's own thread and in order.
 *
 * <pre>
 *   onSnapshot  onSnapshotItem*  onLive  onItem*  ── cut, and a short absence ──▶  onItem*
 *                                                 ── cut, and a long absence ───▶  onSnapshot ...
 * </pre>
 *
 * <p>After a cut the service sends what was missed, each item once. If it no longer keeps all of that, a new snapshot
 * takes the place of everything before. Memory is valid only during the call. A handler must not block.
 */
public interface FeedHandler {
    /** A snapshot begins: what was received before no longer counts. */
    default void onSnapshot() {}

    /** A part of what is there already; by default the same as an item. */
    default void onSnapshotItem(MemorySegment memory, long offset, int length) {
        onItem(0, 0, memory, offset, length);
    }

    /** All that is there, or was missed, has been received; new items follow. */
    default void onLive() {}

    /**
     * Something was published. Sequence and index are its place, which {@link ServiceClient#subscribe(long, long, int,
     * FeedHandler)} goes on from.
     */
    void onItem(long sequence, int index, MemorySegment memory, long offset, int length);

    /** Nothing more comes: the service has refused the subscription, or the client has ended. */
    default void onEnd(ServiceException why) {}
}
