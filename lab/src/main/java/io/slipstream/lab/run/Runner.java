package io.slipstream.lab.run;

import io.slipstream.lab.Case;
import io.slipstream.lab.CppProgram;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Form;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Unavailable;
import io.slipstream.lab.machine.MachineSheet;
import io.slipstream.lab.run.quiet.CpuTimes;
import io.slipstream.lab.run.quiet.Distance;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs experiments one after the other, the forks of an experiment's cases in turn. {@link #stop} may be called from
 * any thread, a shutdown hook included: the children die, the scratch directory goes, and {@link #run} returns what
 * there is.
 */
public final class Runner {
    static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final int TRIES_TO_REMOVE = 5;

    private final Form form;
    private final List<Jvm> jvms;
    private final Progress progress;
    private final int cpus = Runtime.getRuntime().availableProcessors();
    private final Path scratchParent;
    private final Path scratch;
    private final @Nullable Path memory;
    private final Children children = new Children();
    private final List<ExperimentResult> results = new ArrayList<>();
    private @Nullable List<Jvm> others;
    private @Nullable Distance distance;
    private boolean filesInMemory;
    private long repeatedNanos;
    private double part;
    private @Nullable String left;
    private volatile @Nullable String stopped;

    /**
     * A runner for one run.
     *
     * @param jvms the JVMs to compare, of {@linkplain Jvm#distinct different names}; every experiment runs on each
     * @param scratchParent where experiments put their files, in a directory of their own
     */
    public Runner(Form form, List<Jvm> jvms, Path scratchParent, Progress progress) throws IOException {
        this.form = form;
        this.jvms = jvms;
        this.progress = progress;
        this.scratchParent = scratchParent;
        // With its number, so that what a killed one leaves can be told from what is in use.
        String prefix = "slipstream-lab-" + ProcessHandle.current().pid() + "-";
        scratch = Files.createTempDirectory(scratchParent, prefix);
        memory = Files.isWritable(SHARED_MEMORY) ? Files.createTempDirectory(SHARED_MEMORY, prefix) : null;
    }

    public RunResult run(List<Experiment> experiments) throws InterruptedException {
        Instant started = Instant.now();
        double total = experiments.stream()
                        .mapToDouble(e -> e.card().takes(form).toSeconds())
                        .sum()
                * jvms.size();
        double done = 0;
        MachineSheet machine;
        try {
            double load = form == Form.TINY ? 0 : CpuTimes.ofOthers();
            machine = MachineSheet.read(jvms.stream().map(Jvm::name).toList(), scratchParent, load);
            filesInMemory = machine.filesInMemory();
            for (Experiment experiment : experiments) {
                for (Jvm jvm : jvms) {
                    if (stopped != null) {
                        break;
                    }
                    ExperimentResult result = run(experiment, jvm, done, total);
                    results.add(result);
                    progress.finished(result);
                    done += experiment.card().takes(form).toSeconds();
                }
            }
        } finally {
            if (distance != null) {
                distance.close();
            }
            String onDisk = remove(scratch);
            String inMemory = memory == null ? null : remove(memory);
            left = onDisk == null ? inMemory : onDisk;
        }
        double seconds = started.until(Instant.now(), ChronoUnit.MILLIS) / 1e3;
        return new RunResult(
                RunResult.SCHEMA,
                started.truncatedTo(ChronoUnit.SECONDS).toString(),
                form,
                machine,
                List.copyOf(results),
                seconds,
                stopped,
                List.of());
    }

    private ExperimentResult run(Experiment experiment, Jvm jvm, double done, double total)
            throws InterruptedException {
        long startNanos = System.nanoTime();
        String name = experiment.card().id() + "-" + results.size();
        Path directory = scratch.resolve(name);
        Path inMemory = memory == null ? null : memory.resolve(name);
        Plan plan = new Plan(form, cpus, directory, inMemory);
        experiment.plan(plan);
        List<Case> cases = plan.cases();
        @Nullable CaseResult[] found = new CaseResult[cases.size()];
        @Nullable CaseResult[] measured = new CaseResult[cases.size()];
        double step = (double) experiment.card().takes(form).toSeconds() / (form.forks() * Math.max(1, cases.size()));
        for (int fork = 0; fork < form.forks(); fork++) {
            for (int i = 0; i < cases.size() && stopped == null; i++) {
                double soFar = done + step * (fork * cases.size() + i);
                progress.at(experiment, cases.get(i), soFar, total);
                part = (soFar + step) / total;
                CaseResult before = found[i];
                if (before == null || before.missing() == null) {
                    CaseResult now = undisturbed(experiment, cases.get(i), jvm, plan);
                    found[i] = before == null ? now : before.plus(now);
                    if (now.missing() == null) {
                        measured[i] = found[i];
                    }
                }
            }
        }
        remove(directory);
        if (inMemory != null) {
            remove(inMemory);
        }
        List<CaseResult> kept = new ArrayList<>();
        for (int i = 0; i < cases.size(); i++) {
            CaseResult result = found[i];
            kept.add(
                    result == null || (stopped != null && result.missing() != null)
                            ? untilItWasStopped(cases.get(i), jvm, result, measured[i])
                            : result.markedIfUnsettled(form.rounds()));
        }
        return new ExperimentResult(
                experiment.card().id(), jvm.name(), (System.nanoTime() - startNanos) / 1e9, plan.sizes(), kept);
    }

    /** A fork that is killed takes none of the rounds of those before it along. */
    private CaseResult untilItWasStopped(
            Case planned, Jvm jvm, @Nullable CaseResult result, @Nullable CaseResult measured) {
        if (result == null || measured == null) {
            return CaseResult.missing(
                    planned.series(), planned.x(), jvm.name(), planned.jvmFlags(), String.valueOf(stopped));
        }
        return measured.warned("a fork is not among its rounds: " + result.missing());
    }

    /** A disturbed fork is thrown away and run once more; then it counts, and says that it was disturbed. */
    private CaseResult undisturbed(Experiment experiment, Case chosen, Jvm jvm, Plan plan) throws InterruptedException {
        CaseResult result = atDistance(experiment, chosen, jvm, plan);
        if (!mayRepeat(result)) {
            return result;
        }
        long startNanos = System.nanoTime();
        CaseResult again = atDistance(experiment, chosen, jvm, plan).inPlaceOf(result);
        repeatedNanos += System.nanoTime() - startNanos;
        return again;
    }

    private boolean mayRepeat(CaseResult result) {
        return result.calm().isDisturbed() && stopped == null && repeatedNanos / 1e9 < form.repeatSeconds() * part;
    }

    /** Where threads meet, with the distance of the processors just before and after. */
    private CaseResult atDistance(Experiment experiment, Case chosen, Jvm jvm, Plan plan) throws InterruptedException {
        if (form == Form.TINY || cpus < 2 || !experiment.card().dependsOnDistance()) {
            return fork(experiment, chosen, jvm, plan);
        }
        if (distance == null) {
            distance = new Distance();
        }
        double before = distance.nanos();
        CaseResult result = fork(experiment, chosen, jvm, plan);
        double meanwhile = (before + distance.nanos()) / 2;
        return result.missing() != null || Double.isNaN(meanwhile) ? result : result.with(Findings.DISTANCE, meanwhile);
    }

    private CaseResult fork(Experiment experiment, Case chosen, Jvm jvm, Plan plan) throws InterruptedException {
        String skip = chosen.skipReason();
        if (skip == null && chosen.isAboutDisk() && filesInMemory && form != Form.TINY) {
            skip = scratchParent + " is in memory, not on a disk";
        }
        if (skip == null) {
            try {
                Files.createDirectories(plan.directory());
                Path inMemory = plan.memory();
                if (inMemory != null) {
                    Files.createDirectories(inMemory);
                }
                skip = chosen.needs().lacking(this::lasting);
            } catch (IOException e) {
                skip = "no directory for its files: " + e.getMessage();
            }
        }
        if (skip != null) {
            return CaseResult.missing(chosen.series(), chosen.x(), jvm.name(), chosen.jvmFlags(), skip);
        }
        Case.Twin twin = chosen.twin();
        if (twin != null) {
            try {
                // Here, so that no watchdog waits for the compiler.
                CppProgram.compile(twin.source(), plan.directory(), children::add);
            } catch (Unavailable | IOException e) {
                return CaseResult.missing(
                        chosen.series(), chosen.x(), CppProgram.COMPILER, List.of(), String.valueOf(e.getMessage()));
            }
        }
        Jvm fitting = fitting(chosen, jvm);
        if (fitting == null) {
            return CaseResult.missing(
                    chosen.series(), chosen.x(), jvm.name(), chosen.jvmFlags(), "needs " + chosen.wantedJdk());
        }
        return new ForkedJvm(fitting, plan).run(experiment, chosen, children);
    }

    /** The directory that is still there after the run. */
    private Path lasting(Path directory) {
        return directory.startsWith(scratch) ? scratchParent : SHARED_MEMORY;
    }

    private @Nullable Jvm fitting(Case chosen, Jvm jvm) {
        if (chosen.fits(jvm.feature())) {
            return jvm;
        }
        if (!chosen.isAboutCertainJdks()) {
            // Figures of another JVM say nothing of the one that was asked for.
            return null;
        }
        if (others == null) {
            others = Jvm.found();
        }
        return others.stream()
                .filter(other -> chosen.fits(other.feature()))
                .findFirst()
                .orElse(null);
    }

    /** After a run: which files could not be removed and why, or null when nothing was left behind. */
    public @Nullable String leftBehind() {
        return left;
    }

    /** Ends the run early: what is being measured is dropped, what was measured is kept. */
    public void stop(String reason) {
        stopped = reason;
        children.killAll();
    }

    /**
     * Removes a directory and what is in it; a process that is just dying may still write there, so it is tried more
     * than once.
     *
     * @return what went wrong, or null
     */
    private static @Nullable String remove(Path directory) throws InterruptedException {
        String failure = null;
        for (int i = 0; i < TRIES_TO_REMOVE; i++) {
            try (Stream<Path> files = Files.exists(directory) ? Files.walk(directory) : Stream.empty()) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
                return null;
            } catch (IOException | UncheckedIOException e) {
                failure = "files were left under " + directory + ": " + e.getMessage();
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
        return failure;
    }
}
