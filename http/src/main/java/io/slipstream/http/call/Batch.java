package io.slipstream.http.call;

import io.slipstream.service.client.BusyException;
import io.slipstream.service.client.Reply;
import io.slipstream.service.protocol.Busy;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests that came together. They are sent in their order, a bounded number at a time, so that one batch does not
 * take all the room of a service. One that the service has no room for is sent again when it says, before those that
 * come behind it, until the time for that is over. Any thread; never waits.
 */
public final class Batch {
    private static final int MOST_IN_FLIGHT = 256;
    private static final long SHORTEST_PAUSE_NANOS = 1_000_000;

    private final long beginNanos = System.nanoTime();
    private final long patienceNanos;
    private final PriorityQueue<Line> unsent = new PriorityQueue<>(Comparator.comparingInt(line -> line.number));
    private int lines;
    private int inFlight;
    private boolean isSending;
    private boolean isPaused;

    /**
     * Creates a batch that begins now.
     *
     * @param patienceNanos for how long requests that the service is too busy for are sent again
     */
    Batch(long patienceNanos) {
        this.patienceNanos = patienceNanos;
    }

    /** Sends a request when its turn comes. */
    CompletableFuture<Reply> send(Supplier<CompletableFuture<Reply>> request) {
        Line line;
        synchronized (this) {
            line = new Line(lines++, request);
            unsent.add(line);
        }
        sendWhatMay();
        return line;
    }

    /** Only one thread sends at a time, which keeps the order; it also sends what others add meanwhile. */
    private void sendWhatMay() {
        while (true) {
            Line line;
            synchronized (this) {
                line = isSending || isPaused || inFlight >= MOST_IN_FLIGHT ? null : unsent.poll();
                if (line == null) {
                    return;
                }
                isSending = true;
                inFlight++;
            }
            line.send();
            synchronized (this) {
                isSending = false;
            }
        }
    }

    private void answered(Line line, @Nullable Reply reply, @Nullable Throwable failure) {
        long pauseNanos = failure == null ? 0 : pauseNanos(failure);
        boolean comesAgain;
        boolean pauses = false;
        synchronized (this) {
            inFlight--;
            comesAgain = pauseNanos > 0 && System.nanoTime() - beginNanos + pauseNanos <= patienceNanos;
            if (comesAgain) {
                unsent.add(line);
                pauses = !isPaused;
                isPaused = true;
            }
        }
        if (pauses) {
            CompletableFuture.delayedExecutor(pauseNanos, TimeUnit.NANOSECONDS).execute(this::resume);
        } else if (!comesAgain) {
            line.end(reply, failure);
        }
        sendWhatMay();
    }

    private void resume() {
        synchronized (this) {
            isPaused = false;
        }
        sendWhatMay();
    }

    /** Returns after how long a request that has failed so may be sent again; 0 if that is of no use. */
    private static long pauseNanos(Throwable failure) {
        return switch (failure) {
            case CompletionException e when e.getCause() != null -> pauseNanos(e.getCause());
            case BusyException e
            when e.reason() != Busy.Reason.LOG_FULL -> Math.max(SHORTEST_PAUSE_NANOS, e.retryAfterNanos());
            default -> 0;
        };
    }

    private synchronized boolean remove(Line line) {
        return unsent.remove(line);
    }

    private final class Line extends CompletableFuture<Reply> implements Withdrawable {
        private final int number;
        private final Supplier<CompletableFuture<Reply>> request;
        private volatile @Nullable CompletableFuture<Reply> sent;

        Line(int number, Supplier<CompletableFuture<Reply>> request) {
            this.number = number;
            this.request = request;
        }

        void send() {
            CompletableFuture<Reply> now;
            try {
                now = request.get();
            } catch (RuntimeException e) {
                now = CompletableFuture.failedFuture(e);
            }
            sent = now;
            now.whenComplete((reply, failure) -> answered(this, reply, failure));
        }

        void end(@Nullable Reply reply, @Nullable Throwable failure) {
            if (failure != null) {
                completeExceptionally(failure);
            } else {
                complete(reply);
            }
        }

        @Override
        public boolean withdraw() {
            return remove(this) || sent instanceof Withdrawable turn && turn.withdraw();
        }
    }
}
