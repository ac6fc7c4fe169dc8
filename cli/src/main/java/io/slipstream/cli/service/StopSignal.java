package io.slipstream.cli.service;

import io.slipstream.log.LogSystem;
import io.slipstream.service.Service;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Ends a service in order when the process is asked to stop, and then exits with 0. */
public final class StopSignal {
    private static final Duration LOG_LIMIT = Duration.ofSeconds(5);

    private final CountDownLatch ended = new CountDownLatch(1);

    private StopSignal() {}

    /**
     * Installs it for a service that runs.
     *
     * @param afterwards done once the service is closed
     */
    public static StopSignal install(Service service, Runnable afterwards, PrintWriter out) {
        return install(service, () -> {}, afterwards, out);
    }

    /**
     * Installs it for a service with something before it.
     *
     * @param before     done first, while the service still answers
     * @param afterwards done once the service is closed
     */
    public static StopSignal install(Service service, Runnable before, Runnable afterwards, PrintWriter out) {
        StopSignal signal = new StopSignal();
        Thread hook = Thread.ofPlatform().name("stop").unstarted(() -> signal.stop(service, before, afterwards, out));
        Runtime.getRuntime().addShutdownHook(hook);
        return signal;
    }

    /** Called when the service has ended by itself: the hook has nothing to do any more. */
    public void finished() {
        ended.countDown();
    }

    private void stop(Service service, Runnable before, Runnable afterwards, PrintWriter out) {
        if (ended.getCount() == 0 || service.ended().isDone()) {
            return;
        }
        before.run();
        service.close();
        afterwards.run();
        out.printf("Stopped; %,d messages were accepted and %,d refused.%n", service.accepted(), service.refused());
        out.flush();
        LogSystem.flushShared(LOG_LIMIT);
        // The JVM would exit with the signal's code, though everything ended in order.
        Runtime.getRuntime().halt(service.ended().isCompletedExceptionally() ? 1 : 0);
    }
}
