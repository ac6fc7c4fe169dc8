package io.slipstream.http.call;

import io.slipstream.http.config.HttpLimits;
import io.slipstream.service.client.Reply;
import io.slipstream.service.host.Host;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for the service: at most so many and so many bytes, each for at most so long. Any thread.
 *
 * <p>All of them wait equally long, so one look at them now and then finds what is overdue. A timer for each would wake
 * the thread of the timers twice a request.
 */
final class Pending implements AutoCloseable {
    private static final int LOOKS = 8;
    /** What a request takes beside its payload. */
    private static final int OVERHEAD_BYTES = 64;

    private final int most;
    private final int mostBytes;
    private final long answerNanos;
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
    private final Host.Alarm looks;

    Pending(HttpLimits limits) {
        most = limits.pending();
        mostBytes = limits.pendingBytes();
        answerNanos = limits.answerTime().toNanos();
        looks = Host.system().watch("slipstream-http-overdue", Math.max(1, answerNanos / LOOKS), this::look);
    }

    /**
     * Sends a request, if there is room for one more. One that is longer than all may be together goes alone.
     *
     * @param length  bytes of its payload
     * @param request sends it, and does not wait
     * @return completes as the reply does, or with {@link TimeoutException}, or with {@link RefusedException}: at once,
     *     or if it was not sent in its time
     */
    CompletableFuture<Reply> send(int length, Supplier<CompletableFuture<Reply>> request) {
        int own = length + OVERHEAD_BYTES;
        if (count.incrementAndGet() > most) {
            count.decrementAndGet();
            return refused(most + " requests wait for the service already");
        }
        long all = bytes.addAndGet(own);
        if (all > mostBytes && all > own) {
            count.decrementAndGet();
            bytes.addAndGet(-own);
            return refused("requests of " + (all - own) + " bytes wait for the service already, and those that wait may"
                    + " have " + mostBytes);
        }
        Waiting mine = new Waiting(System.nanoTime(), own);
        waiting.add(mine);
        try {
            CompletableFuture<Reply> sent = request.get();
            mine.turn = sent instanceof Withdrawable turn ? turn : null;
            sent.whenComplete((reply, failure) -> end(mine, reply, failure));
        } catch (RuntimeException e) {
            end(mine, null, e);
        }
        return mine;
    }

    /** Returns whether one more would be refused. */
    boolean isFull() {
        return count.get() >= most || bytes.get() >= mostBytes;
    }

    long bytes() {
        return bytes.get();
    }

    int mostBytes() {
        return mostBytes;
    }

    int count() {
        return count.get();
    }

    int most() {
        return most;
    }

    @Override
    public void close() {
        looks.close();
    }

    /** Before the callers' stages, so that who has an answer no longer counts. */
    private void end(Waiting mine, @Nullable Reply reply, @Nullable Throwable failure) {
        if (!waiting.remove(mine)) {
            return;
        }
        count.decrementAndGet();
        bytes.addAndGet(-mine.bytes);
        if (failure != null) {
            mine.completeExceptionally(failure);
        } else {
            mine.complete(reply);
        }
    }

    private void look() {
        long now = System.nanoTime();
        for (Waiting each : waiting) {
            if (now - each.sinceNanos > answerNanos) {
                Withdrawable turn = each.turn;
                end(
                        each,
                        null,
                        turn != null && turn.withdraw()
                                ? refusal("the request was not sent in its time, since others wait before it")
                                : new TimeoutException());
            }
        }
    }

    private static CompletableFuture<Reply> refused(String why) {
        return CompletableFuture.failedFuture(refusal(why));
    }

    private static RefusedException refusal(String why) {
        return RefusedException.ofRoom(why);
    }

    private static final class Waiting extends CompletableFuture<Reply> {
        private final long sinceNanos;
        private final int bytes;
        private volatile @Nullable Withdrawable turn;

        Waiting(long sinceNanos, int bytes) {
            this.sinceNanos = sinceNanos;
            this.bytes = bytes;
        }
    }
}
