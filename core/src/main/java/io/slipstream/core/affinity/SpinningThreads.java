package io.slipstream.core.affinity;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Counts the threads that never sleep, and warns once when there are more of them than can be busy at the same time: then they take the
 * processor from each other, for milliseconds each time, and nothing that is measured means anything.
 */
public class SpinningThreads {
    private static final System.Logger LOG = System.getLogger(SpinningThreads.class.getName());
    private static final SpinningThreads HERE =
            new SpinningThreads(Topology::read, warning -> LOG.log(System.Logger.Level.WARNING, warning));

    private final Supplier<Topology> machine;
    private final Consumer<String> listener;
    private final AtomicInteger spinning = new AtomicInteger();
    final AtomicBoolean told = new AtomicBoolean();

    SpinningThreads(Supplier<Topology> machine, Consumer<String> listener) {
        this.machine = machine;
        this.listener = listener;
    }

    /** The time that a thread spins; closing it ends that. */
    public interface Entry extends AutoCloseable {
        @Override
        void close();
    }

    /** Counts the calling thread until the entry is closed. */
    public static Entry enter() {
        return HERE.enterHere();
    }

    /** Returns how many threads spin in this process, as far as they are counted. */
    public static int count() {
        return HERE.countHere();
    }

    int countHere() {
        return spinning.get();
    }

    /** Returns true to one of all who call this. */
    boolean isFirstToTell() {
        return told.compareAndSet(false, true);
    }

    Entry enterHere() {
        int count = spinning.incrementAndGet();
        if (!told.get()) {
            Topology topology = machine.get();
            if (count > topology.busyThreads() && isFirstToTell()) {
                listener.accept(warning(count, topology));
            }
        }
        return spinning::decrementAndGet;
    }

    static String warning(int count, Topology topology) {
        return count + " threads spin, but this process has CPU time for only " + topology.busyThreads() + " (CPUs "
                + topology.allowed() + (topology.quota().isPresent() ? ", quota " + topology.quota().getAsDouble() : "")
                + "). Give some of them WaitStrategy.parking(), put several duties on one worker, or allow more CPUs.";
    }
}
