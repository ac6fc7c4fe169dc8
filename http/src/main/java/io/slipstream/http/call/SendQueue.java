package io.slipstream.http.call;

import io.slipstream.service.client.ConnectionLostException;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Sends, and lets no caller wait: what the window of the client has no room for waits in a queue until a thread of its
 * own has sent it. What one thread sends stays in order. The callers bound how much waits. Any thread.
 */
final class SendQueue implements AutoCloseable {
    private final LastingClient client;
    private final AtomicInteger queued = new AtomicInteger();
    private final ExecutorService sender = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("slipstream-http-send").factory());

    SendQueue(LastingClient client) {
        this.client = client;
    }

    CompletableFuture<Reply> send(byte[] payload, boolean isQuery) {
        if (queued.get() == 0) {
            ServiceClient now = client.get();
            boolean mayBeSent = now.isOpen();
            CompletableFuture<Reply> sent = isQuery ? now.tryQuery(payload) : now.trySend(payload);
            if (sent != null) {
                return mayBeSent && now.wasConnected() ? sent : refusedIfNotSent(now, mayBeSent, sent);
            }
        }
        Turn turn = new Turn(payload, isQuery);
        queued.incrementAndGet();
        sender.execute(() -> {
            try {
                send(turn);
            } finally {
                queued.decrementAndGet();
            }
        });
        return turn;
    }

    private static CompletableFuture<Reply> refusedIfNotSent(
            ServiceClient by, boolean mayBeSent, CompletableFuture<Reply> sent) {
        CompletableFuture<Reply> told = new CompletableFuture<>();
        tell(told, by, mayBeSent, sent);
        return told;
    }

    /**
     * Tells what has become of a request.
     *
     * @param mayBeSent whether the client was open before: one that has ended sends nothing any more
     */
    static void tell(
            CompletableFuture<Reply> told, ServiceClient by, boolean mayBeSent, CompletableFuture<Reply> sent) {
        sent.whenComplete((reply, failure) -> {
            if (failure instanceof ConnectionLostException lost && !(mayBeSent && by.wasConnected())) {
                told.completeExceptionally(refusal(lost));
            } else if (failure != null) {
                told.completeExceptionally(failure);
            } else {
                told.complete(reply);
            }
        });
    }

    static RefusedException refusal(ConnectionLostException why) {
        return RefusedException.ofNoService(String.valueOf(why.getMessage()));
    }

    @Override
    public void close() {
        sender.shutdownNow();
    }

    private void send(Turn turn) {
        byte @Nullable [] payload = turn.take();
        if (payload == null) {
            return;
        }
        try {
            ServiceClient now = client.get();
            boolean mayBeSent = now.isOpen();
            tell(turn, now, mayBeSent, turn.isQuery() ? now.queryAsync(payload) : now.send(payload));
        } catch (ConnectionLostException e) {
            // What the client does not take was not sent; a connection that is lost later leaves the outcome unknown.
            turn.completeExceptionally(refusal(e));
        } catch (RuntimeException e) {
            turn.completeExceptionally(e);
        }
    }
}
