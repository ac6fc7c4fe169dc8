package io.slipstream.core.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.executor.LockFreeExecutor;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.core.thread.Worker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpinningThreadsTest {
    private static final Topology SEVERAL_CPUS =
            new Topology(List.of(), List.of(), CpuSet.parse("0-63"), OptionalDouble.empty(), false, "made for this");

    @Test
    void warnsOnceWhenMoreThreadsSpinThanTheMachineHasCpusFor(@TempDir Path root) {
        FakeMachine machine = FakeMachine.twoSockets(root);
        List<String> warnings = new ArrayList<>();
        SpinningThreads threads = new SpinningThreads(machine::read, Optional::empty, warnings::add);
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
    void warnsOnceWhenMoreThreadsSpinOnSomeCpusThanTheseAre(@TempDir Path root) {
        FakeMachine machine = FakeMachine.twoSockets(root);
        List<String> warnings = new ArrayList<>();
        CpuSet[] place = new CpuSet[1];
        SpinningThreads threads = new SpinningThreads(machine::read, () -> Optional.of(place[0]), warnings::add);
        place[0] = CpuSet.of(1);
        threads.enterHere().close();
        threads.enterHere();
        place[0] = CpuSet.of(2);
        threads.enterHere();
        assertThat(warnings).as("each has its own").isEmpty();
        place[0] = CpuSet.of(1, 2);
        threads.enterHere();
        assertThat(warnings)
                .singleElement()
                .asString()
                .startsWith("3 threads spin that are pinned to CPU 1-2, where only 2 can be busy.")
                .contains("PinPlan.withoutSiblings");
        threads.enterHere();
        assertThat(warnings).hasSize(1);
    }

    @Test
    void seesThatTwoWorkersArePinnedToOneCpu() throws Exception {
        List<String> warnings = new CopyOnWriteArrayList<>();
        CpuSet cpu = CpuSet.of(Topology.read().allowed().stream().findFirst().orElseThrow());
        SpinningThreads threads = new SpinningThreads(() -> SEVERAL_CPUS, Affinity::ofCurrentThread, warnings::add);
        boolean pinned = true;
        for (int i = 0; i < 2; i++) {
            FutureTask<Boolean> entering = new FutureTask<>(() -> {
                boolean done = Affinity.pinCurrentThread(cpu);
                threads.enterHere();
                return done;
            });
            Thread.ofPlatform().start(entering);
            pinned &= entering.get();
        }
        assertThat(warnings).hasSize(pinned ? 1 : 0);
    }

    @Test
    void countsWorkersThatYieldForEverAsLongAsTheyLive() {
        int before = SpinningThreads.count();
        try (Worker _ = Worker.builder("spinning", List.of(() -> 0))
                        .waitStrategy(WaitStrategy.yielding())
                        .build()
                        .start();
                LockFreeExecutor _ = LockFreeExecutor.builder()
                        .waitStrategy(WaitStrategy.yielding())
                        .build();
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
