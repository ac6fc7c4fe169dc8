package io.slipstream.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slipstream.lab.Card;
import io.slipstream.lab.Case;
import io.slipstream.lab.Experiment;
import io.slipstream.lab.Findings;
import io.slipstream.lab.Form;
import io.slipstream.lab.Group;
import io.slipstream.lab.Plan;
import io.slipstream.lab.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a killed fork leaves is gone before the next experiment begins, on the disk and in memory. */
class LeftoversTest {
    @TempDir
    private Path scratch;

    @Test
    void whatAnExperimentLeavesIsGoneBeforeTheNext() throws Exception {
        assumeTrue(Files.isWritable(Runner.SHARED_MEMORY), "there is no /dev/shm here");
        List<Path> left = new ArrayList<>();
        List<Boolean> gone = new ArrayList<>();
        Progress progress = new Progress() {
            @Override
            public void at(Experiment experiment, Case current, double doneSeconds, double totalSeconds) {}

            @Override
            public void finished(ExperimentResult result) {
                left.forEach(file -> gone.add(Files.notExists(file)));
            }
        };

        new Runner(Form.TINY, List.of(Jvm.current()), scratch, progress).run(List.of(new Untidy(left)));

        assertThat(left).hasSize(2);
        assertThat(gone).containsExactly(true, true);
    }

    /** Leaves a file in each of its directories. */
    private record Untidy(List<Path> left) implements Experiment {
        @Override
        public Card card() {
            return Card.of("U", "Untidy", Group.IO);
        }

        @Override
        public void plan(Plan plan) {
            plan.add("a", () -> round -> {}).skip("it is not about running");
            leave(plan.directory());
            Path memory = plan.memory();
            if (memory != null) {
                leave(memory);
            }
        }

        private void leave(Path directory) {
            try {
                left.add(Files.writeString(Files.createDirectories(directory).resolve("left"), "behind"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public Verdict judge(Findings found) {
            return Verdict.measured("");
        }
    }
}
