package io.slipstream.lab.run;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ends a process that has said nothing for too long, so that one that hangs does not stop the whole run. */
final class Watchdog implements AutoCloseable {
    private static final long LOOK_MILLIS = 200;

    private final Process process;
    private final long patienceNanos;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile long heardNanos = System.nanoTime();
    private volatile boolean hasBitten;

    Watchdog(Process process, long patienceSeconds) {
        this.process = process;
        patienceNanos = TimeUnit.SECONDS.toNanos(patienceSeconds);
        Thread thread = new Thread(this::watch, "watchdog");
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        try {
            while (!closed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (System.nanoTime() - heardNanos > patienceNanos) {
                    hasBitten = true;
                    Children.kill(process);
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The process gave a sign of life. */
    void heard() {
        heardNanos = System.nanoTime();
    }

    /** Whether it ended the process. */
    boolean hasBitten() {
        return hasBitten;
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
