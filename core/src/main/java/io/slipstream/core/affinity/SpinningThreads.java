package io.slipstream.core.affinity;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the threads that never sleep, and warns once when there are more of them than can be busy at the same time: then they take the
 * processor from each other, for milliseconds each time, and nothing that is measured means anything.
 */
public final class SpinningThreads {
    private static final System.Logger LOG = System.getLogger(SpinningThreads.class.getName());
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private SpinningThreads() {
    }

    /** The time that a thread spins; closing it ends that. */
    public interface Entry extends AutoCloseable {
        @Override
        void close();
    }

    /** Counts the calling thread until the entry is closed. */
    public static Entry enter() {
        int count = COUNT.incrementAndGet();
        if (!TOLD.get()) {
            Topology topology = Topology.read();
            if (count > topology.busyThreads() && TOLD.compareAndSet(false, true)) {
                LOG.log(System.Logger.Level.WARNING, warning(count, topology));
            }
        }
        return COUNT::decrementAndGet;
    }

    static String warning(int count, Topology topology) {
        return count + " threads spin, but this process has CPU time for only " + topology.busyThreads() + " (CPUs "
                + topology.allowed() + (topology.quota().isPresent() ? ", quota " + topology.quota().getAsDouble() : "")
                + "). Give some of them WaitStrategy.parking(), put several duties on one worker, or allow more CPUs.";
    }
}
