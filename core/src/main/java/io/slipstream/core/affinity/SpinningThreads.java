package io.slipstream.core.affinity;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Counts the threads that never sleep, and warns once when there are more of them than can be busy at the same time, in
 * the process or on the CPUs that some of them are pinned to: then they take the processor from each other, for
 * milliseconds each time, and nothing that is measured means anything.
 *
 * <p>Workers and executors count their threads. Callers who wait spinning in a queue or for room in a ring are not
 * counted, since they may begin and end a wait with each element.
 */
public class SpinningThreads {
    private static final System.Logger LOG = System.getLogger(SpinningThreads.class.getName());
    private static final SpinningThreads HERE = new SpinningThreads(
            Topology::read, Affinity::ofCurrentThread, warning -> LOG.log(System.Logger.Level.WARNING, warning));

    private final Supplier<Topology> machine;
    private final Supplier<Optional<CpuSet>> place;
    private final Consumer<String> listener;
    private final Set<Spinner> spinners = ConcurrentHashMap.newKeySet();
    final AtomicBoolean told = new AtomicBoolean();

    /** Asks {@code place} where the calling thread may run. */
    SpinningThreads(Supplier<Topology> machine, Supplier<Optional<CpuSet>> place, Consumer<String> listener) {
        this.machine = machine;
        this.place = place;
        this.listener = listener;
    }

    /** The time that a thread spins; closing it ends that. */
    public interface Entry extends AutoCloseable {
        @Override
        void close();
    }

    private final class Spinner implements Entry {
        private final Optional<CpuSet> cpus;

        Spinner(Optional<CpuSet> cpus) {
            this.cpus = cpus;
        }

        boolean isConfinedTo(CpuSet set) {
            return cpus.isPresent() && set.containsAll(cpus.get());
        }

        @Override
        public void close() {
            spinners.remove(this);
        }
    }

    /** Counts the calling thread until the entry is closed. A thread that is to be pinned calls this when it is. */
    public static Entry enter() {
        return HERE.enterHere();
    }

    /** Returns how many threads spin in this process, as far as they are counted. */
    public static int count() {
        return HERE.countHere();
    }

    int countHere() {
        return spinners.size();
    }

    /** Returns true to one of all who call this. */
    boolean isFirstToTell() {
        return told.compareAndSet(false, true);
    }

    /** Of threads that enter at once, the last one to be listed sees all of them when it looks. */
    Entry enterHere() {
        Entry entry = list();
        tellIfTooMany();
        return entry;
    }

    final Entry list() {
        Spinner spinner = new Spinner(told.get() ? Optional.empty() : place.get());
        spinners.add(spinner);
        return spinner;
    }

    final void tellIfTooMany() {
        if (!told.get()) {
            Topology topology = machine.get();
            int count = countHere();
            Optional<String> warning = count > topology.busyThreads()
                    ? Optional.of(warning(count, topology))
                    : crowdedCpus().map(cpus -> warning(countWithin(cpus), cpus));
            if (warning.isPresent() && isFirstToTell()) {
                listener.accept(warning.get());
            }
        }
    }

    private Optional<CpuSet> crowdedCpus() {
        return spinners.stream()
                .flatMap(spinner -> spinner.cpus.stream())
                .filter(cpus -> countWithin(cpus) > cpus.size())
                .findFirst();
    }

    private int countWithin(CpuSet cpus) {
        return (int)
                spinners.stream().filter(spinner -> spinner.isConfinedTo(cpus)).count();
    }

    static String warning(int count, CpuSet cpus) {
        return count + " threads spin that are pinned to CPU " + cpus + ", where only " + cpus.size()
                + " can be busy. Give each a CPU of its own"
                + " (PinPlan.withoutSiblings has as many places as it is asked for), give some of them "
                + "WaitStrategy.parking(), or put several"
                + " duties on one worker.";
    }

    static String warning(int count, Topology topology) {
        return count + " threads spin, but this process has CPU time for only " + topology.busyThreads() + " (CPUs "
                + topology.allowed()
                + (topology.quota().isPresent() ? ", quota " + topology.quota().getAsDouble() : "")
                + "). Give some of them WaitStrategy.parking(), put several duties on one worker, or allow more CPUs.";
    }
}
