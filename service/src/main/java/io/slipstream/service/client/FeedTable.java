package io.slipstream.service.client;

import io.slipstream.core.thread.Signal;
import io.slipstream.service.collection.LongMap;
import io.slipstream.service.host.Host;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Subscription;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
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
    private final Queue<Feed> changed = new ConcurrentLinkedQueue<>();
    private final LongMap<Feed> byTopic = new LongMap<>();
    /** Those that something may have to be asked for, or done about. */
    private final Deque<Feed> due = new ArrayDeque<>();

    private final byte[] request = new byte[Message.HEADER_BYTES + Subscription.BYTES];
    private final MemorySegment requestMemory = MemorySegment.ofArray(request);

    FeedTable(Host host, Outstanding outstanding, Signal signal) {
        this.host = host;
        this.outstanding = outstanding;
        this.signal = signal;
    }

    /** Begins a feed behind a place; any thread. */
    Feed add(long topic, long sequence, int index, FeedHandler handler) {
        Feed feed = new Feed(topic, sequence, index, handler, this::change, host.nanoTime());
        change(feed);
        return feed;
    }

    private void change(Feed feed) {
        changed.add(feed);
        signal.wake();
    }

    /** Asks for those that are wanted, and leaves those that were closed. */
    void work() {
        take();
        for (int left = due.size(); left > 0; left--) {
            Feed feed = due.removeFirst();
            if (feed.isClosed()) {
                leave(feed);
            } else if (feed.state == Feed.State.WANTED && byTopic.get(feed.topic()) == feed) {
                ask(feed);
            }
        }
    }

    /** Those that are new take their places, and those that were closed become due. */
    private void take() {
        Feed next;
        while ((next = changed.poll()) != null) {
            if (next.state == Feed.State.NEW) {
                next.state = Feed.State.WANTED;
                Feed first = byTopic.get(next.topic());
                if (first == null) {
                    byTopic.put(next.topic(), next);
                } else {
                    first.last().behind = next;
                }
            }
            due.add(next);
        }
    }

    void onItem(MemorySegment memory, long offset, int length) {
        Feed feed = byTopic.get(Message.correlation(memory, offset));
        if (feed != null) {
            feed.onItem(memory, offset, length);
        }
    }

    /** The service has subscribed anew, since too much was left unread. */
    void onRenewed(MemorySegment memory, long offset) {
        Feed feed = byTopic.get(Subscription.topic(memory, offset));
        if (feed != null && feed.state == Feed.State.LIVE) {
            onSubscribed(feed, memory, offset);
        }
    }

    void onSubscribed(MemorySegment memory, long offset) {
        Feed feed = byTopic.get(Subscription.topic(memory, offset));
        if (feed != null) {
            onSubscribed(feed, memory, offset);
        }
    }

    private void onSubscribed(Feed feed, MemorySegment memory, long offset) {
        feed.onSubscribed(
                Subscription.mode(memory, offset) == Subscription.SNAPSHOT,
                Subscription.sequence(memory, offset),
                Subscription.index(memory, offset));
        if (feed.isClosed()) {
            due.add(feed);
        }
    }

    void onCut() {
        for (Feed feed : byTopic.values()) {
            Feed.State before = feed.state;
            feed.onCut();
            if (before == Feed.State.LEAVING) {
                ended(feed);
            } else if (before == Feed.State.LIVE) {
                due.add(feed);
            }
        }
    }

    void end(ServiceException why) {
        take();
        // A handler may subscribe or close.
        List<Feed> all = byTopic.values();
        byTopic.clear();
        due.clear();
        for (Feed first : all) {
            for (Feed feed = first; feed != null; feed = feed.behind) {
                try {
                    feed.end(why);
                } catch (RuntimeException e) {
                    Thread thread = Thread.currentThread();
                    thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
                }
            }
        }
    }

    private void ask(Feed feed) {
        if (host.nanoTime() - feed.notBeforeNanos < 0) {
            due.add(feed);
            return;
        }
        Answer answer = new Answer();
        answer.whenComplete((_, failure) -> {
            if (failure != null) {
                refused(feed, failure);
            }
        });
        if (send(MessageType.SUBSCRIBE, feed, answer)) {
            feed.state = Feed.State.ASKED;
        } else {
            due.add(feed);
        }
    }

    private void refused(Feed feed, Throwable failure) {
        if (feed.state == Feed.State.ENDED) {
            return;
        }
        if (failure instanceof BusyException busy) {
            feed.notBeforeNanos = host.nanoTime() + busy.retryAfterNanos();
        } else if (failure instanceof ServiceException why && why.code() == FailureCode.CLOSING) {
            feed.notBeforeNanos = host.nanoTime() + CLOSING_PAUSE_NANOS;
        } else if (failure instanceof ServiceException why && !(failure instanceof ConnectionLostException)) {
            try {
                feed.end(why);
            } finally {
                ended(feed);
            }
            return;
        }
        feed.state = Feed.State.WANTED;
        due.add(feed);
    }

    private void leave(Feed feed) {
        switch (feed.state) {
            case WANTED -> ended(feed);
            case LIVE -> {
                Answer answer = new Answer();
                answer.whenComplete((_, failure) -> left(feed, failure));
                if (send(MessageType.UNSUBSCRIBE, feed, answer)) {
                    feed.state = Feed.State.LEAVING;
                } else {
                    due.add(feed);
                }
            }
            default -> {
                // Its answer is on the way, or it has ended.
            }
        }
    }

    private void left(Feed feed, @Nullable Throwable failure) {
        if (feed.state != Feed.State.LEAVING) {
            return;
        }
        if (failure instanceof BusyException) {
            feed.state = Feed.State.LIVE;
            due.add(feed);
        } else {
            ended(feed);
        }
    }

    /** The next one of the topic has its turn. */
    private void ended(Feed feed) {
        feed.state = Feed.State.ENDED;
        Feed first = byTopic.get(feed.topic());
        if (first == null) {
            return;
        }
        Feed next = feed.behind;
        if (first != feed) {
            first.unlink(feed);
        } else if (next == null) {
            byTopic.remove(feed.topic());
        } else {
            byTopic.put(feed.topic(), next);
            due.add(next);
        }
    }

    private boolean send(short type, Feed feed, Answer answer) {
        Subscription.encodePayload(requestMemory, 0, feed.topic(), feed.sequence(), feed.index(), 0);
        return outstanding.add(type, requestMemory, Message.HEADER_BYTES, Subscription.BYTES, 0, answer);
    }

    /** What becomes of a subscription is up to the client's own thread, wherever other futures complete. */
    static final class Answer extends CompletableFuture<Void> {}
}
