package io.slipstream.cli.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.slipstream.log.LogSystem;
import io.slipstream.service.Service;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * Ends a service in order when the process is asked to stop, and then exits with 0. A service that has failed, or does
 * not end, ends the process within a bound and with 1, whatever its other threads do: what was answered is in the
 * journal.
 */
public final class StopSignal {
    private static final Duration LOG_LIMIT = Duration.ofSeconds(5);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(60);
    private static final Duration FAILURE_LIMIT = Duration.ofSeconds(30);
    /* Made in time: there may be no memory for it when it is needed. */
    private static final byte[] NOT_ENDED =
            "slipstream: the service has failed, and the process does not end by itself\n".getBytes(UTF_8);

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
        Thread limit = Thread.ofPlatform().daemon().name("end-limit").unstarted(() -> haltAfterFailure(service));
        limit.start();
        return signal;
    }

    /** Lets no process live on whose service has failed, also if nobody else has the memory to end it. */
    private static void haltAfterFailure(Service service) {
        try {
            service.ended().join();
        } catch (CompletionException e) {
            LockSupport.parkNanos(FAILURE_LIMIT.toNanos());
            System.err.write(NOT_ENDED, 0, NOT_ENDED.length);
            Runtime.getRuntime().halt(1);
        }
    }

    private static void haltAfter(Duration time) {
        LockSupport.parkNanos(time.toNanos());
        System.err.write(NOT_ENDED, 0, NOT_ENDED.length);
        Runtime.getRuntime().halt(1);
    }

    /** Called when the service has ended by itself: the hook has nothing to do any more. */
    public void finished() {
        ended.countDown();
    }

    private void stop(Service service, Runnable before, Runnable afterwards, PrintWriter out) {
        if (ended.getCount() == 0 || service.ended().isDone()) {
            return;
        }
        Thread.ofPlatform().daemon().name("stop-limit").start(() -> haltAfter(STOP_LIMIT));
        before.run();
        service.close();
        Throwable failure = service.ended().handle((_, why) -> why).join();
        afterwards.run();
        out.printf(
                Locale.ROOT,
                "Stopped; %,d messages were accepted and %,d refused.%n",
                service.accepted(),
                service.refused());
        if (failure != null) {
            out.printf(Locale.ROOT, "The service did not end in order: %s%n", failure.getMessage());
        }
        out.flush();
        LogSystem.flushShared(LOG_LIMIT);
        // The JVM would exit with the signal's code, though everything ended in order.
        Runtime.getRuntime().halt(failure == null ? 0 : 1);
    }
}
