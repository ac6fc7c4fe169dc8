package io.slipstream.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slipstream.lab.Card;
import io.slipstream.lab.Case;
import io.slipstream.lab.CppProgram;
import io.slipstream.lab.Crew;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Form;
import io.slipstream.lab.Group;
import io.slipstream.lab.Pinning;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Round;
import io.slipstream.lab.Unavailable;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import io.slipstream.lab.experiment.Catalog;
import io.slipstream.testkit.Await;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunnerTest {
    private static final String PING_PONG = "ping_pong";

    /** Compiled once, since that takes longer than most tests. */
    @TempDir
    private static Path programs;

    @TempDir
    private Path scratch;

    @BeforeAll
    static void compile() throws Exception {
        if (CppProgram.isPossible()) {
            CppProgram.compile(PING_PONG + ".cpp", programs);
        }
    }

    @Test
    void bringsTheRoundsOfEveryForkHomeAndLeavesNothingBehind() throws Exception {
        RunResult run = runner(Form.TINY, Progress.SILENT).run(Catalog.select(List.of("B28")));

        CaseResult good = run.experiments().get(0).cases().get(0);
        assertThat(good.missing()).isNull();
        assertThat(good.samples()).containsKey("ns/op");
        assertThat(good.jvm()).startsWith("JDK ");
        assertThat(good.flags()).contains("-Xmx1g", "-XX:+UseSerialGC");
        assertThat(run.cutShort()).isNull();
        assertThat(scratch).isEmptyDirectory();
    }

    @Test
    void aCaseThatCannotBeRunSaysWhy() throws Exception {
        RunResult run = runner(Form.TINY, Progress.SILENT).run(List.of(new Impossible()));

        assertThat(run.experiments().get(0).cases())
                .extracting(CaseResult::series, CaseResult::missing)
                .containsExactly(
                        tuple("of the past", "needs JDK 3 to 3"),
                        tuple("elsewhere", "there is no sea here"),
                        tuple("no twin", "the twin none.cpp is not part of this jar"));
        assertThat(scratch).isEmptyDirectory();
    }

    @Test
    void aCaseThatNeedsTooMuchIsRefusedBeforeItWritesAnything() throws Exception {
        RunResult run = runner(Form.TINY, Progress.SILENT).run(List.of(new Greedy()));

        assertThat(run.experiments().get(0).cases())
                .extracting(CaseResult::missing)
                .satisfiesExactly(
                        room -> assertThat(room)
                                .matches("needs [\\d,]+ GB of room in " + Pattern.quote(scratch.toString())
                                        + ", and 256 MB must stay free, where .* are free"),
                        memory -> assertThat(memory)
                                .matches("needs [\\d,]+ GB of memory, and 256 MB must stay free, where .* are"
                                        + " available"),
                        heap -> assertThat(heap)
                                .matches("needs [\\d,]+ GB of memory, and 256 MB must stay free, where .* are"
                                        + " available"));
    }

    @Test
    void stoppingKeepsWhatWasMeasured() throws Exception {
        Runner[] runner = new Runner[1];
        runner[0] = runner(Form.TINY, new Progress() {
            @Override
            public void at(Experiment experiment, Case current, double doneSeconds, double totalSeconds) {}

            @Override
            public void finished(ExperimentResult result) {
                runner[0].stop("it was interrupted");
            }
        });
        RunResult run = runner[0].run(Catalog.select(List.of("B25", "B28")));

        assertThat(run.experiments()).hasSize(1);
        assertThat(run.cutShort()).isEqualTo("it was interrupted");
        assertThat(scratch).isEmptyDirectory();
    }

    @Test
    void aForkThatIsStoppedTakesNoneOfTheRoundsBeforeItAlong() throws Exception {
        Runner[] runner = new Runner[1];
        AtomicInteger forks = new AtomicInteger();
        runner[0] = runner(Form.QUICK, new Progress() {
            @Override
            public void at(Experiment experiment, Case current, double doneSeconds, double totalSeconds) {
                if (forks.incrementAndGet() == 3) {
                    runner[0].stop("it was interrupted");
                }
            }

            @Override
            public void finished(ExperimentResult result) {}
        });
        RunResult run = runner[0].run(List.of(new Counting()));

        assertThat(run.cutShort()).isEqualTo("it was interrupted");
        assertThat(run.experiments().get(0).cases()).hasSize(2).allSatisfy(c -> {
            assertThat(c.missing()).isNull();
            assertThat(c.rounds()).isEqualTo(Form.QUICK.rounds());
        });
        assertThat(run.experiments().get(0).cases().get(0).warning()).contains("a fork is not among its rounds");
    }

    @Test
    void aJdkThatIsNoneIsRefusedByName(@TempDir Path empty) throws IOException {
        assertThatThrownBy(() -> Jvm.at(empty))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(empty.toString());
        Path java = Files.createDirectories(empty.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nexit 3\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        assertThatThrownBy(() -> Jvm.at(empty))
                .hasMessageContaining("does not start")
                .hasMessageContaining("3");
    }

    @Test
    void aJdkThatTellsItsVersionButStartsNoProgramIsRefused(@TempDir Path home) throws IOException {
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\n[ \"$1\" = -version ] && exit 0\necho no class here\nexit 7\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"21.0.1\"\n");
        assertThatThrownBy(() -> Jvm.at(home))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the JDK at " + home
                        + " does not start: a program with the lab's flags ended with 7: no class here");
    }

    @Test
    void theSameClassesRunOnAnOlderJvm() throws Exception {
        Jvm older = older();
        RunResult run =
                new Runner(Form.TINY, List.of(older), scratch, Progress.SILENT).run(Catalog.select(List.of("B28")));
        assertThat(run.experiments())
                .allSatisfy(e -> assertThat(e.cases())
                        .allSatisfy(c -> assertThat(c.missing()).isNull()));
    }

    @Test
    void noOtherJvmStandsInForAnOlderOneThatLacksAnApi() throws Exception {
        Jvm older = older();
        RunResult run =
                new Runner(Form.TINY, List.of(older), scratch, Progress.SILENT).run(Catalog.select(List.of("B26")));
        assertThat(run.experiments().get(0).cases()).hasSizeGreaterThan(1).allSatisfy(c -> {
            assertThat(c.jvm()).isEqualTo(older.name());
            assertThat(c.missing())
                    .isEqualTo(
                            switch (c.series()) {
                                case "columns off-heap" -> "needs JDK 22 or newer";
                                case "Slipstream's huge list" -> "needs JDK 25 or newer";
                                default -> null;
                            });
        });
    }

    @Test
    void aCaseThatIsAboutACertainJdkFindsIt() throws Exception {
        Jvm older = older();
        RunResult run = runner(Form.TINY, Progress.SILENT).run(List.of(new AboutJdk17()));
        assertThat(run.experiments().get(0).cases()).hasSize(1).allSatisfy(c -> {
            assertThat(c.missing()).isNull();
            assertThat(c.jvm()).isEqualTo(older.name());
        });
    }

    @Test
    void everyWorkloadRunsOnAnOlderJvm() throws Exception {
        Path tests = Path.of(TinyForms.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path said = scratch.resolve("said");
        Process process = new ProcessBuilder(
                        older().home().resolve("bin/java").toString(),
                        "-Xmx512m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        ClassPath.ofTheLab()
                                + File.pathSeparator
                                + tests
                                + File.pathSeparator
                                + tests.resolveSibling("test-classes"),
                        TinyForms.class.getName(),
                        scratch.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            process.waitFor();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(said)).containsPattern("[1-9][0-9]+ ran, 0 failed");
    }

    private static Jvm older() {
        Jvm older = Older.JVM;
        assumeTrue(older != null, "there is no JDK 17 here");
        return Objects.requireNonNull(older);
    }

    /** Looked for once, since each JDK of the machine is started for it. */
    private static final class Older {
        private static final @Nullable Jvm JVM =
                Jvm.found().stream().filter(j -> j.feature() == 17).findFirst().orElse(null);
    }

    @Test
    void twinsAreForkedAndComeHomeWithTheirRounds() throws Exception {
        assumeTrue(CppProgram.isPossible(), "there is no g++ here");
        RunResult run = runner(Form.TINY, Progress.SILENT).run(List.of(new Twins()));
        List<CaseResult> cases = run.experiments().get(0).cases();
        assertThat(cases).hasSize(3);
        assertThat(cases.subList(0, 2)).allSatisfy(c -> {
            assertThat(c.missing()).isNull();
            assertThat(c.rounds()).isEqualTo(Form.TINY.rounds());
            assertThat(c.jvm()).isEqualTo(CppProgram.COMPILER);
            assertThat(c.calm().trace().stepMillis()).isPositive();
        });
        assertThat(cases).extracting(CaseResult::threads).startsWith(2, 1);
        assertThat(cases.get(2).missing()).contains("the twin ended with");
    }

    @Test
    void aTwinEndsWithTheThreadThatStartedIt(@TempDir Path directory) throws Exception {
        assumeTrue(CppProgram.isPossible(), "there is no g++ here");
        AtomicReference<ProcessHandle> started = new AtomicReference<>();
        pingPong(directory);
        Crew.run(1, member -> {
            TwinWorkload twin = new TwinWorkload(new Case.Twin(PING_PONG + ".cpp", List.of("100")), directory);
            twin.run(new Round());
            started.set(twin.handle());
        });
        assertThat(started.get().onExit()).succeedsWithin(Await.PATIENCE);
    }

    @Test
    void stoppingInTheMiddleOfATwinLeavesNoProcessBehind() throws Exception {
        assumeTrue(CppProgram.isPossible() && Pinning.cpus() > 1, "there is no g++ or only one processor here");
        Set<ProcessHandle> before = descendants();
        Runner runner = runner(Form.TINY, Progress.SILENT);
        CompletableFuture<RunResult> running = CompletableFuture.supplyAsync(() -> {
            try {
                return runner.run(List.of(new Endless()));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        while (descendants().stream().noneMatch(RunnerTest::isTwin)) {
            assertThat(running).isNotDone();
            TimeUnit.MILLISECONDS.sleep(10);
        }
        Set<ProcessHandle> during = descendants();

        runner.stop("it was interrupted");

        RunResult run = Await.done(running);
        assertThat(run.cutShort()).isEqualTo("it was interrupted");
        assertThat(run.experiments().get(0).cases().get(0).missing()).isEqualTo("it was interrupted");
        during.removeAll(before);
        assertThat(during)
                .isNotEmpty()
                .allSatisfy(process -> assertThat(process.onExit()).succeedsWithin(Await.PATIENCE));
        assertThat(scratch).isEmptyDirectory();
    }

    @Test
    void stoppingEndsTheCompilerToo(@TempDir Path directory) throws Exception {
        assumeTrue(CppProgram.isPossible(), "there is no C++ compiler here");
        Children children = new Children();
        AtomicReference<Process> compiler = new AtomicReference<>();
        assertThatThrownBy(() -> CppProgram.compile("k_nucleotide.cpp", directory, started -> {
                    compiler.set(started);
                    children.add(started);
                    children.killAll();
                }))
                .isInstanceOfAny(IOException.class, Unavailable.class);
        Await.exitCode(compiler.get());
    }

    private static void pingPong(Path directory) {
        try {
            Files.createLink(Files.createDirectories(directory).resolve(PING_PONG), programs.resolve(PING_PONG));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isTwin(ProcessHandle process) {
        return process.info().command().orElse("").endsWith(PING_PONG);
    }

    private static Set<ProcessHandle> descendants() {
        return ProcessHandle.current().descendants().collect(Collectors.toSet());
    }

    @Test
    void whereFilesAreInMemoryACaseAboutADiskIsLeftOut() throws Exception {
        Path memory = Path.of("/dev/shm");
        assumeTrue(Files.isWritable(memory), "there is no /dev/shm here");
        RunResult run =
                new Runner(Form.QUICK, List.of(Jvm.current()), memory, Progress.SILENT).run(List.of(new OnDisk()));
        assertThat(run.experiments().get(0).cases().get(0).missing()).isEqualTo("/dev/shm is in memory, not on a disk");
    }

    @Test
    void aBenchmarkOfJmhIsForkedAndComesHomeWithItsRounds() throws Exception {
        Plan plan = new Plan(Form.QUICK, 2, scratch, null);
        Experiment experiment = Catalog.get("B28");
        experiment.plan(plan);
        CaseResult result =
                new ForkedJvm(Jvm.current(), plan).run(experiment, plan.cases().get(0), new Children());
        assertThat(result.missing()).isNull();
        assertThat(result.samples().get("ns/op")).hasSize(Form.QUICK.rounds()).allMatch(nanos -> nanos > 0);
        assertThat(result.roundMillis()).isEqualTo(Form.QUICK.roundMillis());
        assertThat(result.threads()).isEqualTo(1);
    }

    private Runner runner(Form form, Progress progress) throws IOException {
        return new Runner(form, List.of(Jvm.current()), scratch, progress);
    }

    /** The one case of B7 that is about an older JDK; the fork finds it in the catalog. */
    private static final class AboutJdk17 implements Experiment {
        @Override
        public Card card() {
            return Card.of("B7", "Locks of JDK 17", Group.THREADS);
        }

        @Override
        public void plan(Plan plan) {
            plan.add("ReentrantLock, JDK 17", 1, () -> round -> {}).jdk(17, 17);
        }

        @Override
        public Verdict judge(Findings found) {
            return Verdict.measured("");
        }
    }

    /** Two cheap cases of B6, by whose number the forks find them, without the measurement of distances around each. */
    private static final class Counting implements Experiment {
        @Override
        public Card card() {
            return Card.of("B6", "Counting", Group.THREADS);
        }

        @Override
        public void plan(Plan plan) {
            plan.add("register", "one thread", () -> round -> {});
            plan.add("barrier", "one thread", () -> round -> {});
        }

        @Override
        public Verdict judge(Findings found) {
            return Verdict.measured("");
        }
    }

    private static final class Impossible implements Experiment {
        @Override
        public Card card() {
            return Card.of("I", "Impossible", Group.DATA);
        }

        @Override
        public void plan(Plan plan) {
            plan.add("of the past", () -> round -> {}).jdk(3, 3);
            plan.add("elsewhere", () -> round -> {}).skip("there is no sea here");
            plan.addTwin("no twin", "", "none.cpp");
        }

        @Override
        public Verdict judge(Findings found) {
            return Verdict.measured("");
        }
    }

    private static final class Greedy implements Experiment {
        private static final long TOO_MUCH = 1L << 50;

        @Override
        public Card card() {
            return Card.of("G", "Greedy", Group.DATA);
        }

        @Override
        public void plan(Plan plan) {
            plan.add("room", Greedy::open).needsRoom(plan.directory(), TOO_MUCH);
            plan.add("memory", Greedy::open).needsMemory(TOO_MUCH);
            plan.add("heap", Greedy::open).heap(TOO_MUCH);
        }

        private static Workload open() {
            throw new AssertionError("it was begun");
        }

        @Override
        public Verdict judge(Findings found) {
            return Verdict.measured("");
        }
    }

    private static final class Twins implements Experiment {
        @Override
        public Card card() {
            return Card.of("T", "Twins", Group.DATA);
        }

        @Override
        public void plan(Plan plan) {
            // The other one is compiled by the run.
            pingPong(plan.directory());
            plan.addTwin("ping-pong", "", PING_PONG + ".cpp", 100);
            plan.addTwin("counter", "", "atomic_counter.cpp", "XADD", 1, 100);
            plan.addTwin("without its arguments", "", PING_PONG + ".cpp");
        }

        @Override
        public Verdict judge(Findings found) {
            return Verdict.measured("");
        }
    }

    private static final class Endless implements Experiment {
        @Override
        public Card card() {
            return Card.of("E", "Endless", Group.DATA);
        }

        @Override
        public void plan(Plan plan) {
            pingPong(plan.directory());
            plan.addTwin("endless", "", PING_PONG + ".cpp", Long.MAX_VALUE);
        }

        @Override
        public Verdict judge(Findings found) {
            return Verdict.measured("");
        }
    }

    private static final class OnDisk implements Experiment {
        @Override
        public Card card() {
            return Card.of("D", "On a disk", Group.IO);
        }

        @Override
        public void plan(Plan plan) {
            plan.add("disk", () -> round -> {}).needsDisk();
        }

        @Override
        public Verdict judge(Findings found) {
            return Verdict.measured("");
        }
    }
}
