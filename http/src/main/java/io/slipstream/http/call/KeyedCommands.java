package io.slipstream.http.call;

import io.slipstream.service.client.ClientThread;
import io.slipstream.service.client.ConnectionLostException;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.protocol.FailureCode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one session, each under the number that others have chosen. One that comes again while it is under
 * way waits for the same answer; one that comes again later gets the answer that the service has kept. Any thread; what
 * it keeps belongs to the thread of its client.
 */
final class KeyedCommands {
    private static final int CLOSED = -1;

    private final ClientThread thread;
    private final ServiceClient client;
    private final int longest;
    private final Consumer<ServiceException> notLetIn;
    private final Map<Long, Waiting> waiting = new HashMap<>();

    /** How many wait for an answer, or {@link #CLOSED}. */
    private final AtomicInteger users = new AtomicInteger();

    private record Waiting(byte[] payload, CompletableFuture<Reply> reply) {}

    /**
     * Creates it.
     *
     * @param client   of the session, on that thread
     * @param longest  payload that it takes, whatever the service does
     * @param notLetIn gets the reason if the service does not let the gateway in
     */
    KeyedCommands(ClientThread thread, ServiceClient client, int longest, Consumer<ServiceException> notLetIn) {
        this.thread = thread;
        this.client = client;
        this.longest = longest;
        this.notLetIn = notLetIn;
    }

    boolean isOpen() {
        return client.isOpen();
    }

    int longest() {
        return longest;
    }

    /** Sends a command, or waits with whoever has sent the same under that number and has no answer yet. */
    CompletableFuture<Reply> send(long number, byte[] payload) {
        if (users.getAndUpdate(count -> count == CLOSED ? CLOSED : count + 1) == CLOSED) {
            return CompletableFuture.failedFuture(
                    RefusedException.ofRoom("the gateway needed the connection of this idempotency key for others"));
        }
        CompletableFuture<Reply> answer = new CompletableFuture<>();
        try {
            thread.execute(() -> send(number, payload, answer));
        } catch (RejectedExecutionException e) {
            end(answer, null, RefusedException.ofRoom("the gateway is being closed"));
        }
        return answer;
    }

    private void send(long number, byte[] payload, CompletableFuture<Reply> answer) {
        Waiting other = waiting.get(number);
        if (other == null) {
            sendFirst(number, payload).whenComplete((reply, failure) -> end(answer, reply, failure));
        } else if (Arrays.equals(payload, other.payload)) {
            other.reply.whenComplete((reply, failure) -> end(answer, reply, failure));
        } else {
            end(
                    answer,
                    null,
                    new ServiceException(
                            FailureCode.ALREADY_APPLIED,
                            "another command is under way under the same idempotency key"));
        }
    }

    private CompletableFuture<Reply> sendFirst(long number, byte[] payload) {
        boolean mayBeSent = client.isOpen();
        CompletableFuture<Reply> sent = new CompletableFuture<>();
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        waiting.put(number, new Waiting(payload, reply));
        sent.whenComplete((answer, failure) -> {
            // Before whoever waits for the answer sends the next one.
            waiting.remove(number);
            if (failure == null) {
                reply.complete(answer);
            } else {
                reply.completeExceptionally(failure);
            }
        });
        try {
            SendQueue.tell(sent, client, mayBeSent, client.send(number, payload));
        } catch (ConnectionLostException e) {
            sent.completeExceptionally(SendQueue.refusal(e));
        } catch (RuntimeException e) {
            sent.completeExceptionally(e);
        }
        return reply;
    }

    private void end(CompletableFuture<Reply> answer, @Nullable Reply reply, @Nullable Throwable failure) {
        users.decrementAndGet();
        if (failure == null) {
            answer.complete(reply);
            return;
        }
        if (failure instanceof ServiceException why && why.code() == FailureCode.UNAUTHENTICATED) {
            notLetIn.accept(why);
        }
        answer.completeExceptionally(failure);
    }

    /** Takes nothing more, unless something is under way; returns whether that is so. The session stays. */
    boolean closeIfIdle() {
        if (!users.compareAndSet(0, CLOSED)) {
            return false;
        }
        close();
        return true;
    }

    /** Ends all that is under way, and does not wait for that: its thread may be the one that calls. */
    void close() {
        Thread.startVirtualThread(client::disconnect);
    }
}
