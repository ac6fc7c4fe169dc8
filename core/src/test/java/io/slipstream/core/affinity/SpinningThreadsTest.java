package io.slipstream.core.affinity;

import io.slipstream.core.executor.LockFreeExecutor;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.core.thread.Worker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class SpinningThreadsTest {
    @Test
    void warnsOnceWhenMoreThreadsSpinThanTheMachineHasCpusFor(@TempDir Path root) {
        FakeMachine machine = FakeMachine.twoSockets(root);
        List<String> warnings = new ArrayList<>();
        SpinningThreads threads = new SpinningThreads(machine::read, warnings::add);
        for (int i = 0; i < 20; i++) {
            threads.enterHere().close();
        }
        List<SpinningThreads.Entry> entries = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            entries.add(threads.enterHere());
        }
        assertThat(warnings).as("7 CPUs are allowed").isEmpty();
        entries.add(threads.enterHere());
        entries.add(threads.enterHere());
        assertThat(warnings).singleElement().asString().startsWith("8 threads spin");
        entries.forEach(SpinningThreads.Entry::close);
    }

    @Test
    void countsWorkersThatYieldForEverAsLongAsTheyLive() {
        int before = SpinningThreads.count();
        try (Worker _ = Worker.builder("spinning", List.of(() -> 0)).waitStrategy(WaitStrategy.yielding()).build().start();
             LockFreeExecutor _ = LockFreeExecutor.builder().waitStrategy(WaitStrategy.yielding()).build();
             Worker _ = Worker.builder("parking", List.of(() -> 0)).build().start()) {
            awaitCount(before + 2);
        }
        awaitCount(before);
    }

    private static void awaitCount(int count) {
        while (SpinningThreads.count() != count) {
            Thread.onSpinWait();
        }
    }
}
