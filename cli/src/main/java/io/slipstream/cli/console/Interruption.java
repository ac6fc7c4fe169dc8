package io.slipstream.cli.console;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets an interrupted command, as by Ctrl-C, print what it has before the JVM exits with the code of the signal.
 */
public final class Interruption {
    private static final long LONGEST_SECONDS = 20;

    private Interruption() {}

    /**
     * Does {@code work} and returns its result. When the JVM is asked to end meanwhile, {@code stop} is run, and the
     * JVM stays until the work is done, but no longer than {@value #LONGEST_SECONDS} seconds.
     *
     * @param stop makes the work end soon; run by another thread
     * @param what the message if the work does not end in time, without "in time"
     */
    public static <T> T endsInOrder(Runnable stop, String what, Callable<T> work) throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        Thread hook = Thread.ofPlatform().name("interruption").unstarted(() -> {
            stop.run();
            try {
                if (!done.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                    System.err.println("slipstream: " + what + " in time");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return work.call();
        } finally {
            done.countDown();
            if (!hook.isAlive()) {
                remove(hook);
            }
        }
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is on its way out, and the hook has seen that the work is done.
        }
    }
}
