package io.slipstream.service.host;

import io.slipstream.core.thread.Signal;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Wakes the thread that writes a service's own entries when the deadline of a timer has come, which may sleep for
 * longer. It looks every few milliseconds.
 */
final class TimerAlarm implements Host.Alarm {
    private static final long SHORTEST_NANOS = 50_000;
    private static final long LONGEST_NANOS = 5_000_000;

    private final Thread thread;
    private volatile boolean closed;

    TimerAlarm(LongSupplier deadline, Signal signal, Host host) {
        thread = Thread.ofPlatform().daemon().name("slipstream-timer").unstarted(() -> {
            while (!closed) {
                long due = deadline.getAsLong();
                long left = due == Long.MAX_VALUE ? LONGEST_NANOS : due - host.epochNanos();
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
