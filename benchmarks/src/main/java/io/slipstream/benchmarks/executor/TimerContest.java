package io.slipstream.benchmarks.executor;

import io.slipstream.benchmarks.suite.Contest;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Schedules a million time-outs and cancels them all, as a server does for its requests; with a new executor for each
 * round.
 */
final class TimerContest implements Contest {
    private static final int TIMERS = 1_000_000;
    private static final int SHORTEST_SECONDS = 60;

    private final Supplier<? extends ScheduledExecutorService> ours;
    private final Supplier<? extends ScheduledExecutorService> peer;

    TimerContest(Supplier<? extends ScheduledExecutorService> ours, Supplier<? extends ScheduledExecutorService> peer) {
        this.ours = ours;
        this.peer = peer;
    }

    @Override
    public double ours() {
        return run(ours.get());
    }

    @Override
    public double peer() {
        return run(peer.get());
    }

    /** Returns millions of timers a second. */
    private static double run(ScheduledExecutorService executor) {
        Future<?>[] futures = new Future<?>[TIMERS];
        Runnable never = () -> {
            throw new IllegalStateException("was cancelled");
        };
        long begin = System.nanoTime();
        for (int i = 0; i < TIMERS; i++) {
            futures[i] =
                    executor.schedule(never, SHORTEST_SECONDS * 1_000L + (i * 7919L) % 60_000, TimeUnit.MILLISECONDS);
        }
        for (Future<?> future : futures) {
            if (!future.cancel(false)) {
                throw new IllegalStateException("a timer of at least a minute was already over");
            }
        }
        long nanos = System.nanoTime() - begin;
        executor.shutdownNow();
        return TIMERS * 1_000.0 / nanos;
    }
}
