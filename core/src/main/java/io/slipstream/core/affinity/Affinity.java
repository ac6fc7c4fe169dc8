package io.slipstream.core.affinity;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Binds the calling thread to CPUs, where the system lets it.
 *
 * <p>On Linux this is {@code sched_setaffinity}. It is called directly if the JVM was started with
 * {@code --enable-native-access=io.slipstream.core}, and otherwise through the system's {@code taskset} command, which
 * takes some milliseconds more, once for each thread. Where neither works the thread runs unpinned, and the first such
 * failure is told once. Nothing depends on it but speed.
 */
public final class Affinity {
    private static final System.Logger LOG = System.getLogger(Affinity.class.getName());
    private static final int CPU_FIELD = 39 - 3;
    private static final AtomicBoolean TOLD = new AtomicBoolean();
    private static final AtomicReference<@Nullable Binder> BINDER = new AtomicReference<>();
    private static volatile boolean anyPinned;

    private Affinity() {}

    /** One way to bind the calling thread. */
    interface Binder {
        /** Binds it, or returns why that is not possible. */
        Optional<String> bind(CpuSet cpus);

        /** Names the way. */
        String name();
    }

    /**
     * Lets the calling platform thread run on {@code cpus} alone, from now on.
     *
     * @return whether it worked; if not, the reason is logged as a warning the first time
     * @throws IllegalArgumentException if the set is empty
     */
    public static boolean pinCurrentThread(CpuSet cpus) {
        Optional<String> problem = tryPinCurrentThread(cpus);
        if (problem.isPresent() && TOLD.compareAndSet(false, true)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Threads run unpinned: {0}. Everything works, but latency may vary; this is said once.",
                    problem.get());
        }
        return problem.isEmpty();
    }

    /** As {@link #pinCurrentThread}, but returns the reason of a failure instead of logging it. */
    public static Optional<String> tryPinCurrentThread(CpuSet cpus) {
        if (cpus.isEmpty()) {
            throw new IllegalArgumentException("a thread needs at least one CPU to run on");
        }
        if (Thread.currentThread().isVirtual()) {
            return Optional.of("a virtual thread has no CPU of its own");
        }
        anyPinned = true;
        return binder().bind(cpus);
    }

    /**
     * Lets the calling platform thread run wherever this process may; on Linux it has otherwise inherited the pinning
     * of the thread that has started it. Does nothing if it may already, if no thread was ever pinned through this
     * class, and where the system does not tell or refuses.
     */
    public static void unpinCurrentThread() {
        if (!anyPinned) {
            return;
        }
        // The first thread of the process, which belongs to the launcher and is not pinned, stands for it.
        Optional<CpuSet> process = allowed(Path.of("/proc/self/status"));
        if (process.isPresent() && !process.equals(ofCurrentThread())) {
            tryPinCurrentThread(process.get());
        }
    }

    /** Returns the CPUs on which the calling thread may run, if the system tells. */
    public static Optional<CpuSet> ofCurrentThread() {
        return allowed(Path.of("/proc/thread-self/status"));
    }

    private static Optional<CpuSet> allowed(Path status) {
        try (var lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith("Cpus_allowed_list:"))
                    .map(line -> CpuSet.parse(line.substring(line.indexOf(':') + 1)))
                    .findFirst();
        } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns the CPU on which the calling thread runs at this moment, if the system tells; another one may have it at
     * the next.
     */
    public static OptionalInt cpuOfCurrentThread() {
        try {
            String line = Files.readString(Path.of("/proc/thread-self/stat"));
            // The second field is a name in parentheses, which may hold blanks; the CPU is the 39th.
            String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
            return OptionalInt.of(Integer.parseInt(fields[CPU_FIELD]));
        } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
            return OptionalInt.empty();
        }
    }

    /**
     * Returns how threads are pinned here: {@code sched_setaffinity}, {@code taskset}, or {@code not at all} with the
     * reason.
     */
    public static String means() {
        return binder().name();
    }

    private static Binder binder() {
        Binder present = BINDER.get();
        if (present == null) {
            present = choose(
                    System.getProperty("os.name", "unknown"),
                    Affinity.class.getModule().isNativeAccessEnabled(),
                    NativeBinder::new,
                    TasksetBinder::find);
            BINDER.set(present);
        }
        return present;
    }

    /**
     * Chooses the first way that there is: the kernel's call, where it is allowed and found, then the command, then
     * none.
     */
    static Binder choose(
            String system, boolean nativeAccess, Supplier<Binder> call, Supplier<Optional<Binder>> command) {
        if (!system.equals("Linux")) {
            return new NoBinder(system + " has no call for it that is known here");
        }
        if (nativeAccess) {
            try {
                return call.get();
            } catch (RuntimeException | LinkageError e) {
                return command.get().orElseGet(() -> new NoBinder("sched_setaffinity was not found: " + e));
            }
        }
        return command.get()
                .orElseGet(() -> new NoBinder("the JVM has no native access (start it with"
                        + " --enable-native-access=io.slipstream.core) and there is no taskset command"));
    }
}
