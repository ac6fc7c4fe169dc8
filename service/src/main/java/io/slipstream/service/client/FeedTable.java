package io.slipstream.service.client;

import io.slipstream.core.thread.Signal;
import io.slipstream.service.host.Host;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Subscription;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The feeds of a client. Any thread adds one; the link's thread does everything else. */
final class FeedTable {
    private static final long CLOSING_PAUSE_NANOS = 100_000_000;

    private final Host host;
    private final Outstanding outstanding;
    private final Signal signal;
    private final Queue<Feed> added = new ConcurrentLinkedQueue<>();
    private final List<Feed> feeds = new ArrayList<>();
    private final byte[] request = new byte[Message.HEADER_BYTES + Subscription.BYTES];
    private final MemorySegment requestMemory = MemorySegment.ofArray(request);
    private @Nullable Feed last;

    FeedTable(Host host, Outstanding outstanding, Signal signal) {
        this.host = host;
        this.outstanding = outstanding;
        this.signal = signal;
    }

    /** Begins a feed behind a place; any thread. */
    Feed add(long topic, long sequence, int index, FeedHandler handler) {
        Feed feed = new Feed(topic, sequence, index, handler, signal, host.nanoTime());
        added.add(feed);
        signal.wake();
        return feed;
    }

    /** Asks for those that are wanted, and leaves those that were closed. */
    void work() {
        Feed next;
        while ((next = added.poll()) != null) {
            feeds.add(next);
        }
        for (int i = 0; i < feeds.size(); i++) {
            Feed feed = feeds.get(i);
            if (feed.isClosed()) {
                leave(feed);
            } else if (feed.state == Feed.State.WANTED
                    && first(feed.topic()) == feed
                    && host.nanoTime() - feed.notBeforeNanos >= 0) {
                ask(feed);
            }
            if (feed.state == Feed.State.ENDED) {
                feeds.remove(i--);
                last = null;
            }
        }
    }

    void onItem(MemorySegment memory, long offset, int length) {
        long topic = Message.correlation(memory, offset);
        Feed feed = last;
        if (feed == null || feed.topic() != topic) {
            feed = first(topic);
            last = feed;
        }
        if (feed != null) {
            feed.onItem(memory, offset, length);
        }
    }

    /** The service has subscribed anew, since too much was left unread. */
    void onRenewed(MemorySegment memory, long offset) {
        Feed feed = first(Subscription.topic(memory, offset));
        if (feed != null && feed.state == Feed.State.LIVE) {
            onSubscribed(feed, memory, offset);
        }
    }

    void onSubscribed(MemorySegment memory, long offset) {
        Feed feed = first(Subscription.topic(memory, offset));
        if (feed != null) {
            onSubscribed(feed, memory, offset);
        }
    }

    private static void onSubscribed(Feed feed, MemorySegment memory, long offset) {
        feed.onSubscribed(
                Subscription.mode(memory, offset) == Subscription.SNAPSHOT,
                Subscription.sequence(memory, offset),
                Subscription.index(memory, offset));
    }

    void onCut() {
        for (int i = 0; i < feeds.size(); i++) {
            feeds.get(i).onCut();
        }
    }

    void end(ServiceException why) {
        Feed next;
        while ((next = added.poll()) != null) {
            feeds.add(next);
        }
        // A copy, since a handler may subscribe or close.
        for (Feed feed : List.copyOf(feeds)) {
            try {
                feed.end(why);
            } catch (RuntimeException e) {
                Thread thread = Thread.currentThread();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            }
        }
        feeds.clear();
        last = null;
    }

    private void ask(Feed feed) {
        Answer answer = new Answer();
        answer.whenComplete((_, failure) -> {
            if (failure != null) {
                refused(feed, failure);
            }
        });
        if (send(MessageType.SUBSCRIBE, feed, answer)) {
            feed.state = Feed.State.ASKED;
        }
    }

    private void refused(Feed feed, Throwable failure) {
        if (failure instanceof BusyException busy) {
            feed.state = Feed.State.WANTED;
            feed.notBeforeNanos = host.nanoTime() + busy.retryAfterNanos();
        } else if (failure instanceof ConnectionLostException) {
            feed.state = Feed.State.WANTED;
        } else if (failure instanceof ServiceException why && why.code() == FailureCode.CLOSING) {
            feed.state = Feed.State.WANTED;
            feed.notBeforeNanos = host.nanoTime() + CLOSING_PAUSE_NANOS;
        } else if (failure instanceof ServiceException why) {
            feed.end(why);
        }
    }

    private void leave(Feed feed) {
        switch (feed.state) {
            case WANTED -> feed.state = Feed.State.ENDED;
            case LIVE -> {
                Answer answer = new Answer();
                answer.whenComplete((_, failure) ->
                        feed.state = failure instanceof BusyException ? Feed.State.LIVE : Feed.State.ENDED);
                if (send(MessageType.UNSUBSCRIBE, feed, answer)) {
                    feed.state = Feed.State.LEAVING;
                }
            }
            default -> {
                // Its answer is on the way.
            }
        }
    }

    private boolean send(short type, Feed feed, Answer answer) {
        Subscription.encodePayload(requestMemory, 0, feed.topic(), feed.sequence(), feed.index(), 0);
        return outstanding.add(type, requestMemory, Message.HEADER_BYTES, Subscription.BYTES, 0, answer);
    }

    /** What becomes of a subscription is up to the client's own thread, wherever other futures complete. */
    static final class Answer extends CompletableFuture<Void> {}

    /** Returns the feed of a topic; a second one has to wait until the first one has ended. */
    private @Nullable Feed first(long topic) {
        for (int i = 0; i < feeds.size(); i++) {
            Feed feed = feeds.get(i);
            if (feed.topic() == topic && feed.state != Feed.State.ENDED) {
                return feed;
            }
        }
        return null;
    }
}
