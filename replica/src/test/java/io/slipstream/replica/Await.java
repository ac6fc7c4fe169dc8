package io.slipstream.replica;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for conditions. */
final class Await {
    private Await() {}

    static void until(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.call()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within 30 s: " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
