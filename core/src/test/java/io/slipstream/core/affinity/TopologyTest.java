package io.slipstream.core.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.slipstream.core.thread.Worker;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopologyTest {
    @TempDir
    private Path root;

    private FakeMachine machine;

    @BeforeEach
    void describe() {
        machine = FakeMachine.twoSockets(root);
    }

    @Test
    void readsSocketsCoresSiblingsNodesAndCaches() {
        Topology topology = machine.read();
        assertThat(topology.sockets()).isEqualTo(2);
        assertThat(topology.cores()).isEqualTo(4);
        assertThat(topology.cpus()).hasSize(8);
        assertThat(topology.nodes()).isEqualTo(2);
        assertThat(topology.smt()).isTrue();
        Cpu six = topology.cpu(6).orElseThrow();
        assertThat(six).isEqualTo(new Cpu(6, 1, 2, 1, CpuSet.of(2, 6), true, false));
        assertThat(topology.caches()).hasSize(4 + 4 + 4 + 2);
        assertThat(topology.caches()).contains(new Cache(3, Cache.Type.UNIFIED, 32 << 20, 64, CpuSet.parse("2-3,6-7")));
    }

    @Test
    void respectsWhatIsAllowedAndWhatIsIsolated() {
        Topology topology = machine.read();
        assertThat(topology.allowed()).isEqualTo(CpuSet.parse("1-7"));
        assertThat(topology.cpu(0).orElseThrow().allowed()).isFalse();
        assertThat(topology.cpus().stream().filter(Cpu::isolated).map(Cpu::number))
                .containsExactly(3, 7);
        assertThat(topology.busyThreads()).isEqualTo(7);
    }

    @Test
    void plansIsolatedCpusThatTheInheritedMaskLacks() {
        machine.write("proc/self/status", "Cpus_allowed_list:\t0-2,4-6");
        assertThat(machine.read().allowed()).isEqualTo(CpuSet.parse("0-7"));
        assertThat(places(PinPlan.onePerCore(machine.read()))).startsWith(3, 0, 1, 2);
        assertThat(places(PinPlan.cpus(machine.read(), 7))).containsExactly(7);
    }

    @Test
    void keepsToANarrowerMaskAndToTheControlGroup() {
        machine.write("proc/self/status", "Cpus_allowed_list:\t0-1");
        assertThat(machine.read().allowed()).as("chosen by taskset").isEqualTo(CpuSet.parse("0-1"));
        machine.write("proc/self/cgroup", "0::/app").write("sys/fs/cgroup/app/cpuset.cpus.effective", "0-1,3");
        assertThat(machine.read().allowed())
                .as("all of the control group but what is isolated")
                .isEqualTo(CpuSet.parse("0-1,3"));
        machine.write("proc/self/cgroup", "4:memory:/x\n3:cpuset:/y")
                .write("sys/fs/cgroup/cpuset/y/cpuset.effective_cpus", "0-1,7");
        assertThat(machine.read().allowed()).isEqualTo(CpuSet.parse("0-1,7"));
    }

    @Test
    void respectsTheQuotaOfAControlGroupOfEitherVersion() {
        assertThat(machine.read().quota()).isEmpty();
        machine.write("proc/self/cgroup", "0::/app.slice/one")
                .write("sys/fs/cgroup/app.slice/one/cpu.max", "max 100000")
                .write("sys/fs/cgroup/app.slice/cpu.max", "250000 100000");
        assertThat(machine.read().quota()).hasValue(2.5);
        assertThat(machine.read().busyThreads()).isEqualTo(2);
        machine.write("proc/self/cgroup", "4:memory:/x\n3:cpu,cpuacct:/docker/abc")
                .write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000")
                .write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
        assertThat(machine.read().quota()).hasValue(0.5);
        assertThat(machine.read().busyThreads()).isEqualTo(1);
        machine.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1");
        assertThat(machine.read().quota()).isEmpty();
    }

    @Test
    void fallsBackToWhatTheJvmCountsWhereTheSystemDoesNotTell(@TempDir Path empty) {
        Topology topology = new FakeMachine(empty).read();
        assertThat(topology.cpus()).hasSize(Runtime.getRuntime().availableProcessors());
        assertThat(topology.origin()).contains("does not exist");
        machine.write("sys/devices/system/cpu/online", "all of them");
        assertThat(machine.read().origin()).contains("not understood").contains("'all of them'");
    }

    @Test
    void readsThisMachine() {
        Topology topology = Topology.read();
        assertThat(topology.allowed().size()).isPositive();
        assertThat(topology.busyThreads()).isBetween(1, topology.cpus().size());
    }

    @Test
    void plansOneThreadForEachCoreIsolatedOnesFirstAndSiblingsLast() {
        assertThat(places(PinPlan.onePerCore(machine.read()))).containsExactly(3, 1, 2, 4, 7, 5, 6);
    }

    @Test
    void plansNoSiblingsOrRefuses() {
        Topology topology = machine.read();
        assertThat(places(PinPlan.withoutSiblings(topology, 4))).containsExactly(3, 1, 2, 4);
        assertThat(places(PinPlan.withoutSiblings(topology, 2))).containsExactly(3, 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PinPlan.withoutSiblings(topology, 5))
                .withMessage("5 threads cannot each have a core: the CPUs 1-7 that are allowed to this process "
                        + "belong to 4");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PinPlan.withoutSiblings(topology, 0))
                .withMessage("a plan is for at least 1 thread, not 0");
    }

    @Test
    void hasNoPlaceForThreadsThatWouldBeSiblings() {
        PinPlan plan = PinPlan.withoutSiblings(machine.read(), 2);
        for (int thread : new int[] {-1, 2}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> plan.place(thread))
                    .withMessageContaining("made for 2 threads, and has no place for number " + thread);
        }
        ThreadFactory factory = new PinnedThreadFactory("pinned", plan);
        factory.newThread(() -> {});
        factory.newThread(() -> {});
        assertThatIllegalArgumentException().isThrownBy(() -> factory.newThread(() -> {}));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Worker.builder("w", List.of(() -> 0)).pinnedTo(plan, 2));
    }

    @Test
    void plansTheNearestCpusFirst() {
        // 4 shares the cache of the last level and the socket with 1; 5 is the sibling of 1.
        assertThat(places(PinPlan.near(machine.read(), 1))).containsExactly(4, 2, 3, 6, 7, 5);
    }

    @Test
    void plansExactlyWhatWasSaidAndStartsOverAfterwards() {
        PinPlan plan = PinPlan.cpus(machine.read(), 6, 2);
        assertThat(places(plan)).containsExactly(6, 2);
        assertThat(plan.place(2)).isEqualTo(CpuSet.of(6));
    }

    @Test
    void refusesCpusThatDoNotExistOrAreNotAllowed() {
        Topology topology = machine.read();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PinPlan.cpus(topology, 8))
                .withMessage("there is no CPU 8 here; online are 0-7");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PinPlan.cpus(topology, 0))
                .withMessageContaining("CPU 0 is not allowed to this process; allowed are 1-7");
        assertThatIllegalArgumentException().isThrownBy(() -> PinPlan.cpus(topology));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PinPlan.cpus(topology, 3, 2, 3))
                .withMessageContaining("CPU 3 is named twice");
        assertThatIllegalArgumentException().isThrownBy(() -> PinPlan.near(topology, 99));
    }

    @Test
    void warnsOfMoreSpinningThreadsThanCpus() {
        assertThat(SpinningThreads.warning(9, machine.read()))
                .contains("9 threads spin")
                .contains("for only 7 (CPUs 1-7)")
                .contains("WaitStrategy.parking()");
    }

    private static List<Integer> places(PinPlan plan) {
        return IntStream.range(0, plan.size())
                .mapToObj(i -> Integer.valueOf(plan.place(i).toString()))
                .toList();
    }
}
