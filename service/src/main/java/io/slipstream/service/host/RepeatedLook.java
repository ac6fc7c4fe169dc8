package io.slipstream.service.host;

import java.util.concurrent.locks.LockSupport;

/** Does something again and again on a daemon thread of its own, whatever that throws. */
final class RepeatedLook implements Host.Alarm {
    private final Thread thread;
    private volatile boolean closed;

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

    private static void report(Throwable failure) {
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
