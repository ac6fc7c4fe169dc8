package io.slipstream.core.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.slipstream.core.executor.LockFreeExecutor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class AffinityTest {
    private static int someAllowedCpu() {
        return Topology.read().allowed().stream().max().orElseThrow();
    }

    @Test
    void pinsAThreadWithoutNativeAccessAndWithoutAnyFlag() {
        CpuSet one = CpuSet.of(someAllowedCpu());
        CompletableFuture<Optional<CpuSet>> seen = new CompletableFuture<>();
        Thread thread = new PinnedThreadFactory("pinned", PinPlan.cpus(Topology.read(), someAllowedCpu()))
                .newThread(() -> seen.complete(Affinity.ofCurrentThread()));
        assertThat(thread.getName()).isEqualTo("pinned-0");
        thread.start();
        Optional<CpuSet> expected = Affinity.means().equals("taskset") ? Optional.of(one) : Affinity.ofCurrentThread();
        assertThat(seen.join()).isEqualTo(expected);
    }

    @Test
    void pinsTheWorkersOfAnExecutorEachToItsCpu() throws Exception {
        Topology topology = Topology.read();
        int[] cpus = topology.allowed().stream().limit(2).toArray();
        List<Optional<CpuSet>> seen = new ArrayList<>();
        List<Optional<CpuSet>> planned = new ArrayList<>();
        try (LockFreeExecutor executor = LockFreeExecutor.builder()
                .workers(cpus.length)
                .threadFactory(new PinnedThreadFactory("orders", PinPlan.cpus(topology, cpus)))
                .build()) {
            CyclicBarrier together = new CyclicBarrier(cpus.length);
            Callable<Optional<CpuSet>> task = () -> {
                // Each worker has one of them.
                together.await();
                return Affinity.ofCurrentThread();
            };
            for (Future<Optional<CpuSet>> future : executor.invokeAll(Collections.nCopies(cpus.length, task))) {
                seen.add(future.get());
            }
        }
        for (int cpu : cpus) {
            planned.add(
                    Affinity.means().startsWith("not at all")
                            ? Affinity.ofCurrentThread()
                            : Optional.of(CpuSet.of(cpu)));
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(planned);
    }

    @Test
    void plansThreadsNearTheOneThatAsks() throws Exception {
        Topology topology = Topology.read();
        CompletableFuture<String> planned = new CompletableFuture<>();
        Thread thread = new PinnedThreadFactory("center", PinPlan.cpus(topology, someAllowedCpu()))
                .newThread(() -> planned.complete(
                        Affinity.cpuOfCurrentThread().orElse(-1) + " " + PinPlan.nearThisThread(topology)));
        thread.start();
        PinPlan expected = topology.allowed().size() == 1
                ? PinPlan.onePerCore(topology)
                : PinPlan.near(topology, someAllowedCpu());
        if (Affinity.means().equals("taskset")) {
            assertThat(planned.join()).isEqualTo(someAllowedCpu() + " " + expected);
        } else {
            assertThat(planned.join()).contains("[");
        }
    }

    @Test
    void freesAThreadOfThePinningThatItHasInherited() {
        Optional<CpuSet> process = Affinity.ofCurrentThread();
        CompletableFuture<Optional<CpuSet>> inherited = new CompletableFuture<>();
        CompletableFuture<Optional<CpuSet>> freed = new CompletableFuture<>();
        new PinnedThreadFactory("parent", PinPlan.cpus(Topology.read(), someAllowedCpu()))
                .newThread(() -> Thread.ofPlatform().start(() -> {
                    inherited.complete(Affinity.ofCurrentThread());
                    Affinity.unpinCurrentThread();
                    freed.complete(Affinity.ofCurrentThread());
                }))
                .start();
        assertThat(inherited.join())
                .isEqualTo(Affinity.means().equals("taskset") ? Optional.of(CpuSet.of(someAllowedCpu())) : process);
        assertThat(freed.join()).isEqualTo(process);
    }

    @Test
    void callsTheKernelWhereNativeAccessIsGranted() throws Exception {
        assertThat(child("--enable-native-access=ALL-UNNAMED", String.valueOf(someAllowedCpu())))
                .containsExactly("means sched_setaffinity", "pinned true", "runs on " + someAllowedCpu());
    }

    @Test
    void saysOnceThatThereIsNoWayOnAnotherSystemAndGoesOnUnpinned() throws Exception {
        List<String> lines = child("-Dos.name=Plan 9", String.valueOf(someAllowedCpu()));
        assertThat(lines)
                .contains("means not at all: Plan 9 has no call for it that is known here")
                .contains("pinned false")
                .contains("runs on " + Topology.read().allowed());
        assertThat(lines)
                .filteredOn(line -> line.contains("Threads run unpinned: Plan 9 has no call"))
                .hasSize(1);
    }

    @Test
    void choosesTheFirstWayThatThereIs() {
        Affinity.Binder call = new NoBinder("stands for the call");
        Affinity.Binder command = new NoBinder("stands for the command");
        Supplier<Affinity.Binder> noCall = () -> {
            throw new UnsatisfiedLinkError("no such symbol");
        };
        assertThat(Affinity.choose("Linux", true, () -> call, () -> Optional.of(command)))
                .isSameAs(call);
        assertThat(Affinity.choose("Linux", true, noCall, () -> Optional.of(command)))
                .isSameAs(command);
        assertThat(Affinity.choose("Linux", false, noCall, () -> Optional.of(command)))
                .isSameAs(command);
        assertNoWay(
                Affinity.choose("Linux", true, noCall, Optional::empty),
                "sched_setaffinity was not found",
                "no such symbol");
        assertNoWay(
                Affinity.choose("Linux", false, () -> call, Optional::empty),
                "no native access",
                "--enable-native-access",
                "no taskset command");
        assertNoWay(Affinity.choose("Mac OS X", true, () -> call, () -> Optional.of(command)), "Mac OS X has no call");
    }

    private static void assertNoWay(Affinity.Binder binder, String... reasons) {
        assertThat(binder.name()).startsWith("not at all: ").contains(reasons);
        assertThat(binder.bind(CpuSet.of(0)).orElseThrow()).contains(reasons);
    }

    @Test
    void saysOnceThatTheKernelRefusesAndGoesOnUnpinned() throws Exception {
        List<String> lines = child("--enable-native-access=ALL-UNNAMED", "8000");
        assertThat(lines)
                .contains("pinned false")
                .contains("runs on " + Topology.read().allowed());
        assertThat(lines)
                .filteredOn(line -> line.contains("Threads run unpinned: the kernel refused CPUs 8000"))
                .hasSize(1);
    }

    @Test
    void printsNoWarningOfTheJvmWhereNativeAccessIsDeniedOrNotDecided() throws Exception {
        for (String flag : new String[] {"--illegal-native-access=deny", "--illegal-native-access=warn"}) {
            assertThat(child(flag, String.valueOf(someAllowedCpu())))
                    .noneMatch(line -> line.startsWith("WARNING:"))
                    .anyMatch(line -> line.startsWith("pinned "));
        }
    }

    @Test
    void refusesAnEmptySetAndVirtualThreads() throws Exception {
        assertThatIllegalArgumentException().isThrownBy(() -> Affinity.pinCurrentThread(CpuSet.empty()));
        CompletableFuture<Optional<String>> problem = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(() -> problem.complete(Affinity.tryPinCurrentThread(CpuSet.of(0))))
                .join();
        assertThat(problem.join()).hasValueSatisfying(text -> assertThat(text).contains("virtual thread"));
    }

    @Test
    void measuresHowLongASpinningThreadIsAway() throws Exception {
        JitterSample sample = JitterSampler.sample(someAllowedCpu(), Duration.ofMillis(20), 100);
        assertThat(sample.nanos()).isGreaterThanOrEqualTo(20_000_000);
        long counted = 0;
        for (long count : sample.counts()) {
            counted += count;
        }
        assertThat(counted).isEqualTo(sample.gaps());
        assertThat(sample.longestNanos()).isLessThanOrEqualTo(sample.awayNanos());
        assertThat(JitterSample.bucket(1)).isZero();
        assertThat(JitterSample.bucket(1_024)).isEqualTo(10);
        assertThatIllegalArgumentException().isThrownBy(() -> JitterSampler.sample(0, Duration.ZERO, 1_000));
    }

    @Test
    void samplesNoCpuThatCannotBe() {
        for (int cpu : new int[] {-1, CpuSet.MAX_CPU + 1}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> JitterSampler.sample(cpu, Duration.ofMillis(1), 1_000))
                    .withMessageContaining("0 to " + CpuSet.MAX_CPU + ", not " + cpu);
        }
    }

    @Test
    void returnsWhatWasMeasuredUntilItWasToldToEnd() throws Exception {
        for (long most : new long[] {1_000, 10_000_000}) {
            AtomicLong asked = new AtomicLong();
            JitterSample sample = JitterSampler.sample(
                    someAllowedCpu(), Duration.ofHours(1), 100, () -> asked.incrementAndGet() < most);
            assertThat(sample.nanos()).isPositive();
            assertThat(asked.get()).as("asked after each reading").isBetween(most, most + 1);
        }
    }

    @Test
    void tellsItsCallerWhatItWasToldToAskHasThrown() {
        assertThatIllegalStateException()
                .isThrownBy(() -> JitterSampler.sample(someAllowedCpu(), Duration.ofHours(1), 100, () -> {
                    throw new IllegalStateException("not to be asked");
                }))
                .withMessage("not to be asked");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> JitterSampler.sample(someAllowedCpu(), Duration.ofHours(1), 100, () -> {
                    throw new AssertionError("nor so");
                }))
                .withMessage("nor so");
    }

    @Test
    void samplesForAsLongAsATimeCanBe() throws Exception {
        Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
        assertThat(JitterSampler.sample(someAllowedCpu(), longest, 100, () -> false)
                        .cpu())
                .isEqualTo(someAllowedCpu());
        assertThatIllegalArgumentException().isThrownBy(() -> JitterSampler.sample(0, longest.negated(), 100));
    }

    private static List<String> child(String flag, String cpu) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                flag,
                "-Xshare:auto",
                "-cp",
                place(Affinity.class) + ":" + place(AffinityTest.class),
                Child.class.getName(),
                cpu));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.lines().toList();
    }

    private static String place(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .toString();
    }

    /** Pins its main thread twice and says what came of it. */
    static final class Child {
        private Child() {}

        /** The argument is the CPU. */
        public static void main(String[] args) {
            System.out.println("means " + Affinity.means());
            boolean pinned = Affinity.pinCurrentThread(CpuSet.parse(args[0]));
            Affinity.pinCurrentThread(CpuSet.parse(args[0]));
            System.out.println("pinned " + pinned);
            System.out.println("runs on " + Affinity.ofCurrentThread().orElseThrow());
        }
    }
}
