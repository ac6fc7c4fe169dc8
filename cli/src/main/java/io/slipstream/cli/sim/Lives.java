package io.slipstream.cli.sim;

import io.slipstream.cli.console.Interruption;
import io.slipstream.cli.console.Usage;
import io.slipstream.log.LogSystem;
import io.slipstream.log.event.Level;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lives in a simulated world, as many as are asked for, some of them at once. */
abstract class Lives implements Callable<Integer> {
    private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int MOST_BROKEN = 10;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Seed of the first life; from the clock if not given.",
            showDefaultValue = Visibility.NEVER)
    private long seed = System.nanoTime() & Integer.MAX_VALUE;

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "1000",
            description = "How many lives, each with the next seed.")
    private long runs;

    @Option(
            names = "--minutes",
            paramLabel = "M",
            defaultValue = "0",
            description = "Goes on for so long instead; 0 for as many lives as --runs says.")
    private long minutes;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "How many lives go on at once; one for each processor if not given, and one with --trace.",
            showDefaultValue = Visibility.NEVER)
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--trace", description = "Prints every event.")
    private boolean trace;

    @Option(
            names = "--soak",
            paramLabel = "FOLDER",
            description = "Keeps a history of all runs there: a line in history.csv for each, and a page.")
    private @Nullable Path soak;

    @Spec
    private CommandSpec spec;

    private final List<String> broken = new CopyOnWriteArrayList<>();
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong lived = new AtomicLong();
    private final List<Throwable> defects = new CopyOnWriteArrayList<>();

    @SuppressWarnings("NullAway.Init")
    Lives() {}

    /** Checks what else there is on the command line. */
    void check() {}

    /**
     * Prepares the first life.
     *
     * @param events gets each event; null if nobody wants to see them
     */
    abstract void begin(@Nullable Consumer<String> events);

    /** Lives the life of that seed, on one of several threads; returns which promise it has broken, or null. */
    abstract @Nullable String live(long ofSeed);

    /** Returns what else is to be said on the command line for the same lives; with a space before each. */
    String furtherOptions() {
        return "";
    }

    /**
     * Says what has come of it.
     *
     * @return whether that is good
     */
    abstract boolean end(PrintStream out, Outcome outcome) throws IOException;

    /** Returns how long all lives were. */
    abstract long simulatedNanos();

    /** Returns how often each fault has struck. */
    abstract Map<String, Long> faults();

    /**
     * How the lives have ended.
     *
     * @param seed       of the first one
     * @param seconds    how long they took
     * @param cpuSeconds how much processor time they took
     * @param broken     what promises were broken
     * @param isStopped  whether somebody has stopped them
     * @param isTraced   whether somebody looks at each event
     */
    record Outcome(
            long seed, double seconds, double cpuSeconds, List<String> broken, boolean isStopped, boolean isTraced) {}

    /** Returns the command, for what is wrong with it. */
    final CommandSpec spec() {
        return spec;
    }

    @Override
    public final Integer call() throws Exception {
        Usage.atLeast(spec, "--runs", runs, 1);
        Usage.atLeast(spec, "--minutes", minutes, 0);
        Usage.atLeast(spec, "--threads", threads, 1);
        check();
        // What simulated programs have to say is in the trace.
        LogSystem.shared().level("io.slipstream", Level.OFF);
        AtomicBoolean goOn = new AtomicBoolean(true);
        return Interruption.endsInOrder(
                () -> goOn.set(false), "the life did not end", () -> simulate(System.out, goOn));
    }

    private int simulate(PrintStream out, AtomicBoolean goOn) throws IOException, InterruptedException {
        SoakHistory history = soak == null ? null : new SoakHistory(soak);
        Instant begin = Instant.now();
        begin(trace ? out::println : null);
        out.println("first seed " + seed);
        long begun = System.nanoTime();
        double cpuBefore = cpuSeconds();
        liveOnAllThreads(out, goOn);
        Outcome outcome = new Outcome(
                seed,
                (System.nanoTime() - begun) / 1e9,
                cpuSeconds() - cpuBefore,
                List.copyOf(broken),
                !goOn.get(),
                trace);
        boolean isGood = end(out, outcome);
        if (history != null) {
            history.add(begin, spec.name(), lived.get(), simulatedNanos(), faults(), outcome);
            out.println("see " + history.page());
        }
        return isGood ? 0 : 1;
    }

    /** Returns how much processor time this process has used. */
    private static double cpuSeconds() {
        return ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .orElse(Duration.ZERO)
                        .toNanos()
                / 1e9;
    }

    private void liveOnAllThreads(PrintStream out, AtomicBoolean goOn) throws InterruptedException {
        List<Thread> lives = new ArrayList<>();
        for (int i = 0; i < (trace ? 1 : threads); i++) {
            lives.add(Thread.ofPlatform().name("slipstream-sim-" + i).start(() -> {
                try {
                    liveOneByOne(out, goOn);
                } catch (RuntimeException | Error e) {
                    defects.add(e);
                    goOn.set(false);
                }
            }));
        }
        for (Thread each : lives) {
            each.join();
        }
        if (!defects.isEmpty()) {
            throw new IllegalStateException(
                    "the simulator itself has failed: " + defects.getFirst(), defects.getFirst());
        }
    }

    private void liveOneByOne(PrintStream out, AtomicBoolean goOn) {
        long begun = System.nanoTime();
        long end = begun + TimeUnit.MINUTES.toNanos(minutes);
        long nextProgress = begun + PROGRESS_NANOS;
        while (goOn.get() && broken.size() < MOST_BROKEN) {
            long life = next.getAndIncrement();
            if (minutes > 0 ? System.nanoTime() - end >= 0 : life >= runs) {
                break;
            }
            String promise = live(seed + life);
            if (promise != null) {
                broken.add(promise);
                out.println(promise);
                out.println("    again: slipstream sim " + spec.name() + " --seed " + (seed + life) + " --runs 1"
                        + furtherOptions() + " --trace");
            }
            lived.incrementAndGet();
            if (Thread.currentThread().getName().endsWith("-0") && System.nanoTime() - nextProgress >= 0) {
                nextProgress += PROGRESS_NANOS;
                out.println(lived.get() + " lives, " + broken.size() + " broken promises");
            }
        }
    }
}
