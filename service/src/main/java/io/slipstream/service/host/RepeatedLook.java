package io.slipstream.service.host;

import java.util.concurrent.locks.LockSupport;

/** Does something again and again on a daemon thread of its own, whatever that throws: that is told once a minute. */
final class RepeatedLook implements Host.Alarm {
    private static final long REPORT_NANOS = 60_000_000_000L;

    private final Thread thread;
    private volatile boolean closed;
    private long nextReportNanos = System.nanoTime();

    RepeatedLook(String name, long pauseNanos, Runnable look) {
        thread = Thread.ofPlatform().daemon().name(name).unstarted(() -> {
            while (!closed) {
                try {
                    look.run();
                } catch (RuntimeException | Error e) {
                    report(e);
                }
                LockSupport.parkNanos(this, pauseNanos);
            }
        });
    }

    private void report(Throwable failure) {
        long now = System.nanoTime();
        if (now - nextReportNanos < 0) {
            return;
        }
        nextReportNanos = now + REPORT_NANOS;
        try {
            Thread current = Thread.currentThread();
            current.getUncaughtExceptionHandler().uncaughtException(current, failure);
        } catch (RuntimeException | Error e) {
            // No memory to say so; the next look may have some.
        }
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
