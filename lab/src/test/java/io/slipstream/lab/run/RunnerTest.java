package io.slipstream.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slipstream.lab.Card;
import io.slipstream.lab.Case;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Form;
import io.slipstream.lab.Group;
import io.slipstream.lab.CppProgram;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Verdict;
import io.slipstream.lab.Workload;
import io.slipstream.lab.experiment.Catalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunnerTest {
    @TempDir
    private Path scratch;

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
                        room -> assertThat(room).matches("needs [\\d,]+ GB of room at .*, where .* are free"),
                        memory -> assertThat(memory).matches("needs [\\d,]+ GB of memory, and .* are available"),
                        heap -> assertThat(heap).matches("needs [\\d,]+ GB of memory, and .* are available"));
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
    void theSameClassesRunOnAnOlderJvm() throws Exception {
        Jvm older =
                Jvm.found().stream().filter(j -> j.feature() == 17).findFirst().orElse(null);
        assumeTrue(older != null, "there is no JDK 17 here");
        RunResult run = new Runner(Form.TINY, List.of(Objects.requireNonNull(older)), scratch, Progress.SILENT)
                .run(Catalog.select(List.of("B28", "B31")));
        assertThat(run.experiments()).allSatisfy(e -> assertThat(e.cases())
                .allSatisfy(c -> assertThat(c.missing()).isNull()));
    }

    @Test
    void theTwinsCompileAndAgreeWithThemselves() throws Exception {
        assumeTrue(CppProgram.isPossible(), "there is no g++ here");
        RunResult run = runner(Form.TINY, Progress.SILENT).run(List.of(new Twins()));
        assertThat(run.experiments().get(0).cases()).hasSize(4).allSatisfy(c -> assertThat(c.missing())
                .isNull());
    }

    private Runner runner(Form form, Progress progress) throws IOException {
        return new Runner(form, List.of(Jvm.current()), scratch, progress);
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
            plan.addTwin("ping-pong", "", "ping_pong.cpp", 100);
            plan.addTwin("counter", "", "atomic_counter.cpp", "CAS", 2, 100);
            plan.addTwin("memory", "", "memory_passes.cpp", "long", "unrolled", 1 << 16);
            plan.addTwin("k-nucleotide", "", "k_nucleotide.cpp", "table", 1_000);
        }

        @Override
        public Verdict judge(Findings found) {
            return Verdict.measured("");
        }
    }
}
