package io.slipstream.http.call;

import io.slipstream.http.config.HttpLimits;
import io.slipstream.service.client.Reply;
import io.slipstream.service.protocol.Busy;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for the service: at most so many, each for at most so long. Any thread.
 *
 * <p>All of them wait equally long, so one look at them now and then finds what is overdue. A timer for each would wake
 * the thread of the timers twice a request.
 */
final class Pending implements AutoCloseable {
    private static final long RETRY_NANOS = 1_000_000_000;
    private static final int LOOKS = 8;

    private final int most;
    private final long answerNanos;
    private final AtomicInteger count = new AtomicInteger();
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService looks;

    Pending(HttpLimits limits) {
        most = limits.pending();
        answerNanos = limits.answerTime().toNanos();
        looks = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("slipstream-http-overdue").factory());
        looks.scheduleWithFixedDelay(
                this::look, answerNanos / LOOKS, Math.max(1, answerNanos / LOOKS), TimeUnit.NANOSECONDS);
    }

    /**
     * Sends a request, if there is room for one more.
     *
     * @return completes as the reply does, or with {@link TimeoutException}, or {@link RefusedException} at once
     */
    CompletableFuture<Reply> send(Supplier<CompletableFuture<Reply>> request) {
        if (count.incrementAndGet() > most) {
            count.decrementAndGet();
            return CompletableFuture.failedFuture(new RefusedException(
                    Busy.Reason.PENDING, most + " requests wait for the service already", RETRY_NANOS));
        }
        Waiting mine = new Waiting(System.nanoTime());
        waiting.add(mine);
        try {
            request.get().whenComplete((reply, failure) -> end(mine, reply, failure));
        } catch (RuntimeException e) {
            end(mine, null, e);
        }
        return mine;
    }

    int count() {
        return count.get();
    }

    int most() {
        return most;
    }

    @Override
    public void close() {
        looks.shutdownNow();
    }

    /** Before the callers' stages, so that who has an answer no longer counts. */
    private void end(Waiting mine, @Nullable Reply reply, @Nullable Throwable failure) {
        if (!waiting.remove(mine)) {
            return;
        }
        count.decrementAndGet();
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
                end(each, null, new TimeoutException());
            }
        }
    }

    private static final class Waiting extends CompletableFuture<Reply> {
        private final long sinceNanos;

        Waiting(long sinceNanos) {
            this.sinceNanos = sinceNanos;
        }
    }
}
