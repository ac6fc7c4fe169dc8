package io.slipstream.core.executor;

import java.util.concurrent.CountDownLatch;

/** What the tests of the executor's contract begin with. */
final class ExecutorFixture {
    private ExecutorFixture() {}

    static LockFreeExecutor executor(int workers) {
        return LockFreeExecutor.builder()
                .name("test")
                .workers(workers)
                .capacity(256)
                .build();
    }

    /** Returns a task that runs until {@code latch} is open, whoever interrupts it. */
    static Runnable waitingFor(CountDownLatch begun, CountDownLatch latch) {
        return () -> {
            begun.countDown();
            boolean waiting = true;
            while (waiting) {
                try {
                    latch.await();
                    waiting = false;
                } catch (InterruptedException e) {
                    // This task does not heed interruption.
                }
            }
        };
    }
}
