package io.slipstream.service.client;

import io.slipstream.service.protocol.Message;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client's subscription to one topic, which outlives cuts of the connection. Close it to end it; any thread may.
 *
 * <pre>
 *   WANTED ──SUBSCRIBE──▶ ASKED ──SUBSCRIBED──▶ LIVE
 *      ▲                   │ BUSY, session forgotten  │ cut
 *      └───────────────────┴──────────────────────────┘
 * </pre>
 */
public final class Feed implements AutoCloseable {
    private final long topic;
    private final FeedHandler handler;
    private final Consumer<Feed> closing;
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private volatile boolean closed;

    /* The rest is for the client's thread. */
    /** The next one of the same topic, which waits until this one has ended. */
    @Nullable
    Feed behind;

    State state = State.NEW;
    long notBeforeNanos;
    private long sequence;
    private int index;
    private boolean inSnapshot;

    /** How far a feed is. */
    enum State {
        NEW,
        WANTED,
        ASKED,
        LIVE,
        LEAVING,
        ENDED
    }

    Feed(long topic, long sequence, int index, FeedHandler handler, Consumer<Feed> closing, long nowNanos) {
        this.notBeforeNanos = nowNanos;
        this.topic = topic;
        this.sequence = sequence;
        this.index = index;
        this.handler = handler;
        this.closing = closing;
    }

    /** Returns the topic. */
    public long topic() {
        return topic;
    }

    /** Completes when the feed is live for the first time; exceptionally if it ends before. */
    public CompletableFuture<Void> started() {
        return started.copy();
    }

    /** Ends the subscription; its handler is not called again, except for a call that is under way. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            closing.accept(this);
        }
    }

    /** Returns the last one of the same topic. */
    Feed last() {
        Feed last = this;
        while (last.behind != null) {
            last = last.behind;
        }
        return last;
    }

    /** One that waits behind this one does so no more. */
    void unlink(Feed waiting) {
        for (Feed feed = this; feed != null; feed = feed.behind) {
            if (feed.behind == waiting) {
                feed.behind = waiting.behind;
            }
        }
    }

    boolean isClosed() {
        return closed;
    }

    long sequence() {
        return sequence;
    }

    int index() {
        return index;
    }

    /** Takes an item, unless it came before. */
    void onItem(MemorySegment memory, long offset, int length) {
        long at = offset + Message.HEADER_BYTES;
        int payload = length - Message.HEADER_BYTES;
        if (closed) {
            return;
        }
        if (Message.isSnapshot(memory, offset)) {
            beginSnapshot();
            handler.onSnapshotItem(memory, at, payload);
            return;
        }
        long itemSequence = Message.sequence(memory, offset);
        int itemIndex = Message.index(memory, offset);
        if (itemSequence > sequence || (itemSequence == sequence && itemIndex > index)) {
            sequence = itemSequence;
            index = itemIndex;
            handler.onItem(itemSequence, itemIndex, memory, at, payload);
        }
    }

    /** The service sends all items behind that place from here on. */
    void onSubscribed(boolean snapshot, long lastSequence, int lastIndex) {
        if (snapshot && !closed) {
            beginSnapshot();
            sequence = lastSequence;
            index = lastIndex;
        }
        inSnapshot = false;
        state = State.LIVE;
        started.complete(null);
        if (!closed) {
            handler.onLive();
        }
    }

    /** The connection was cut. What was asked for is sent again by itself, and half a snapshot counts for nothing. */
    void onCut() {
        inSnapshot = false;
        if (state == State.LIVE) {
            state = State.WANTED;
        } else if (state == State.LEAVING) {
            state = State.ENDED;
        }
    }

    void end(ServiceException why) {
        state = State.ENDED;
        started.completeExceptionally(why);
        if (!closed) {
            closed = true;
            handler.onEnd(why);
        }
    }

    private void beginSnapshot() {
        if (!inSnapshot) {
            inSnapshot = true;
            handler.onSnapshot();
        }
    }
}
