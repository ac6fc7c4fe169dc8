package io.slipstream.sim.service;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Tells the seed of a life that does not end, and where its thread is: a machine that loops holds the only thread of
 * its world, so nothing in that world can notice.
 */
final class Watchdog {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int MOST_FRAMES = 20;
    private static final ScheduledExecutorService WATCHMAN = watchman();

    private final Thread watched = Thread.currentThread();
    private final long seed;
    private final ScheduledFuture<?> looking;

    /** Watches the thread that calls, until {@link #end}. */
    Watchdog(long seed) {
        this.seed = seed;
        this.looking = WATCHMAN.scheduleWithFixedDelay(
                this::tell, PATIENCE.toNanos(), PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static ScheduledExecutorService watchman() {
        ScheduledThreadPoolExecutor watchman = new ScheduledThreadPoolExecutor(
                1,
                task -> Thread.ofPlatform()
                        .name("slipstream-sim-watchdog")
                        .daemon()
                        .unstarted(task));
        watchman.setRemoveOnCancelPolicy(true);
        return watchman;
    }

    private void tell() {
        System.err.println("the life of seed " + seed + " has gone on for more than " + PATIENCE.toSeconds()
                + " s; its thread is here:\n" + stack(watched));
    }

    private static String stack(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .limit(MOST_FRAMES)
                .map(frame -> "    at " + frame)
                .collect(Collectors.joining("\n"));
    }

    void end() {
        looking.cancel(false);
    }
}
