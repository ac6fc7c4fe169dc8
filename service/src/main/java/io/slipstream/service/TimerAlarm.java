package io.slipstream.service;

import io.slipstream.core.thread.Signal;
import io.slipstream.service.logic.OwnEntries;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Wakes the thread that writes a service's own entries when the deadline of a timer has come, which may sleep for
 * longer. It looks every few milliseconds while a timer is set, and is otherwise asleep.
 */
final class TimerAlarm implements AutoCloseable {
    private static final long SHORTEST_NANOS = 50_000;
    private static final long LONGEST_NANOS = 5_000_000;

    private final Thread thread;
    private volatile boolean closed;

    TimerAlarm(OwnEntries own, Signal signal, LongSupplier clockNanos) {
        thread = Thread.ofPlatform().daemon().name("slipstream-timer").unstarted(() -> {
            while (!closed) {
                long due = own.nextDeadline();
                long left = due == Long.MAX_VALUE ? LONGEST_NANOS : due - clockNanos.getAsLong();
                if (left <= 0) {
                    signal.wake();
                }
                LockSupport.parkNanos(this, Math.clamp(left, SHORTEST_NANOS, LONGEST_NANOS));
            }
        });
    }

    void start() {
        thread.start();
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
