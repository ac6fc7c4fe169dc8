package io.slipstream.lab.run;

import io.slipstream.lab.Case;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Form;
import io.slipstream.lab.Plan;
import io.slipstream.lab.machine.MachineSheet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs experiments one after the other, the forks of an experiment's cases in turn. {@link #stop} may be called from
 * any thread, a shutdown hook included: the children die, the scratch directory goes, and {@link #run} returns what
 * there is.
 */
public final class Runner {
    /** A disturbed fork is thrown away and run again, this often; then it counts, and says that it was disturbed. */
    private static final int REPEATS = 1;

    private final Form form;
    private final List<Jvm> jvms;
    private final Progress progress;
    private final int cpus = Runtime.getRuntime().availableProcessors();
    private final Path scratch;
    private final Children children = new Children();
    private final List<ExperimentResult> results = new ArrayList<>();
    private @Nullable List<Jvm> others;
    private volatile @Nullable String stopped;

    /**
     * A runner for one run.
     *
     * @param jvms the JVMs to compare; every experiment runs on each
     * @param scratchParent where experiments put their files, in a directory of their own
     */
    public Runner(Form form, List<Jvm> jvms, Path scratchParent, Progress progress) throws IOException {
        this.form = form;
        this.jvms = jvms;
        this.progress = progress;
        scratch = Files.createTempDirectory(scratchParent, "slipstream-lab-");
    }

    public RunResult run(List<Experiment> experiments) throws InterruptedException {
        Instant started = Instant.now();
        MachineSheet machine = MachineSheet.read(jvms.stream().map(Jvm::name).toList());
        double total = experiments.stream()
                        .mapToDouble(e -> e.card().takes(form).toSeconds())
                        .sum()
                * jvms.size();
        double done = 0;
        try {
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
            remove(scratch);
        }
        double seconds = started.until(Instant.now(), ChronoUnit.MILLIS) / 1e3;
        return new RunResult(
                RunResult.SCHEMA,
                started.truncatedTo(ChronoUnit.SECONDS).toString(),
                form,
                machine,
                List.copyOf(results),
                seconds,
                stopped);
    }

    private ExperimentResult run(Experiment experiment, Jvm jvm, double done, double total)
            throws InterruptedException {
        long startNanos = System.nanoTime();
        Path directory = scratch.resolve(experiment.card().id() + "-" + results.size());
        Plan plan = new Plan(form, cpus, directory);
        experiment.plan(plan);
        List<Case> cases = plan.cases();
        @Nullable CaseResult[] found = new CaseResult[cases.size()];
        double step = (double) experiment.card().takes(form).toSeconds() / (form.forks() * Math.max(1, cases.size()));
        for (int fork = 0; fork < form.forks(); fork++) {
            for (int i = 0; i < cases.size() && stopped == null; i++) {
                progress.at(experiment, cases.get(i), done + step * (fork * cases.size() + i), total);
                CaseResult before = found[i];
                if (before == null || before.missing() == null) {
                    CaseResult now = undisturbed(experiment, cases.get(i), jvm, directory);
                    found[i] = before == null ? now : before.plus(now);
                }
            }
        }
        remove(directory);
        List<CaseResult> kept = new ArrayList<>();
        for (int i = 0; i < cases.size(); i++) {
            CaseResult result = found[i];
            Case planned = cases.get(i);
            kept.add(
                    result != null && (stopped == null || result.missing() == null)
                            ? result
                            : CaseResult.missing(
                                    planned.series(),
                                    planned.x(),
                                    jvm.name(),
                                    planned.jvmFlags(),
                                    String.valueOf(stopped)));
        }
        return new ExperimentResult(experiment.card().id(), jvm.name(), (System.nanoTime() - startNanos) / 1e9, kept);
    }

    private CaseResult undisturbed(Experiment experiment, Case chosen, Jvm jvm, Path directory)
            throws InterruptedException {
        CaseResult result = fork(experiment, chosen, jvm, directory);
        for (int i = 0; i < REPEATS && result.calm().isDisturbed() && stopped == null && form != Form.TINY; i++) {
            CaseResult again = fork(experiment, chosen, jvm, directory);
            result = new CaseResult(
                    again.series(),
                    again.x(),
                    again.jvm(),
                    again.flags(),
                    again.samples(),
                    again.calm(),
                    result.repeated() + 1,
                    again.missing());
        }
        return result;
    }

    private CaseResult fork(Experiment experiment, Case chosen, Jvm jvm, Path directory) throws InterruptedException {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            return CaseResult.missing(
                    chosen.series(),
                    chosen.x(),
                    jvm.name(),
                    List.of(),
                    "no directory for its files: " + e.getMessage());
        }
        Case.Twin twin = chosen.twin();
        if (twin != null) {
            return new NativeTwin(scratch).run(chosen, twin, form, children);
        }
        Jvm fitting = fitting(chosen, jvm);
        if (fitting == null) {
            return CaseResult.missing(
                    chosen.series(), chosen.x(), jvm.name(), chosen.jvmFlags(), "needs " + chosen.wantedJdk());
        }
        return new ForkedJvm(fitting, cpus, directory).run(experiment, chosen, form, children);
    }

    private @Nullable Jvm fitting(Case chosen, Jvm jvm) {
        if (chosen.fits(jvm.feature())) {
            return jvm;
        }
        if (others == null) {
            others = Jvm.found();
        }
        return others.stream()
                .filter(other -> chosen.fits(other.feature()))
                .findFirst()
                .orElse(null);
    }

    /** Ends the run early: what is being measured is dropped, what was measured is kept. */
    public void stop(String reason) {
        stopped = reason;
        children.killAll();
    }

    private static void remove(Path directory) {
        try (Stream<Path> files = Files.exists(directory) ? Files.walk(directory) : Stream.empty()) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new IllegalStateException(
                    "could not remove the lab's files under " + directory + ": " + e.getMessage(), e);
        }
    }
}
