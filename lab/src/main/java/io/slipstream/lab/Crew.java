package io.slipstream.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Threads that start together. */
public final class Crew {

    /** What a member does; its number counts from 0. */
    @FunctionalInterface
    public interface Body {
        void run(int member) throws Exception;
    }

    private static final AtomicInteger LARGEST = new AtomicInteger(1);

    private Crew() {}

    /** Runs the body on {@code size} new threads and returns the time from the first start to the last end. */
    public static long run(int size, Body body) throws Exception {
        return run(size, false, body);
    }

    /**
     * As {@link #run(int, Body)}, each member on a {@linkplain Pinning#cpu processor} of its own. Where the system does
     * not allow that, or has fewer processors than there are members, they run unpinned, and the result says so.
     */
    public static long runPinned(int size, Body body) throws Exception {
        if (size > Pinning.cpus()) {
            Pinning.note(size + " threads, and only " + Pinning.cpus() + " processors");
            return run(size, false, body);
        }
        return run(size, true, body);
    }

    /** The size of the largest crew of this process so far, or 1. */
    public static int largest() {
        return LARGEST.get();
    }

    private static long run(int size, boolean pinned, Body body) throws Exception {
        LARGEST.accumulateAndGet(size, Math::max);
        var arrived = new AtomicInteger();
        var failure = new AtomicReference<@Nullable Throwable>();
        long[] startNanos = new long[size];
        long[] endNanos = new long[size];
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            int member = i;
            Thread thread = new Thread(
                    () -> {
                        if (pinned) {
                            Pinning.currentThread(Pinning.cpu(member));
                        }
                        arrived.incrementAndGet();
                        awaitAll(arrived, size);
                        startNanos[member] = System.nanoTime();
                        try {
                            body.run(member);
                        } catch (Throwable e) {
                            failure.compareAndSet(null, e);
                        }
                        endNanos[member] = System.nanoTime();
                    },
                    "member-" + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        Throwable failed = failure.get();
        if (failed instanceof Unavailable) {
            throw (Unavailable) failed;
        }
        if (failed != null) {
            throw new IllegalStateException("a thread of the crew failed: " + failed.getMessage(), failed);
        }
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (int i = 0; i < size; i++) {
            first = Math.min(first, startNanos[i]);
            last = Math.max(last, endNanos[i]);
        }
        return last - first;
    }

    /** Yields between looks, because there may be fewer processors than members. */
    @SuppressWarnings("ThreadPriorityCheck")
    private static void awaitAll(AtomicInteger arrived, int size) {
        while (arrived.get() < size) {
            Thread.yield();
        }
    }
}
