package io.slipstream.core.executor;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.affinity.Affinity;
import io.slipstream.core.affinity.CpuSet;
import io.slipstream.core.affinity.PinPlan;
import io.slipstream.core.affinity.PinnedThreadFactory;
import io.slipstream.core.affinity.Topology;
import io.slipstream.core.thread.Worker;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What threads are made of, whoever makes them. */
class ExecutorThreadsTest {
    /** Returns what {@code call} returns on a thread that nobody would want to inherit from. */
    private static <T> T onAnOddThread(Callable<T> call) throws Exception {
        FutureTask<T> result = new FutureTask<>(call);
        try (URLClassLoader loader = new URLClassLoader(new URL[0])) {
            Thread odd =
                    Thread.ofPlatform().daemon().priority(Thread.MIN_PRIORITY).unstarted(result);
            odd.setContextClassLoader(loader);
            odd.start();
            return result.get();
        }
    }

    private static void assertUsual(Thread thread) {
        assertThat(thread.isDaemon()).isFalse();
        assertThat(thread.getPriority()).isEqualTo(Thread.NORM_PRIORITY);
    }

    @Test
    void workersAreNoDaemonsAndHaveTheNormalPriorityWhoeverMakesThem() throws Exception {
        try (LockFreeExecutor executor =
                onAnOddThread(() -> LockFreeExecutor.builder().build())) {
            assertUsual(executor.submit(Thread::currentThread).get());
        }
        PinPlan plan = PinPlan.onePerCore(Topology.read());
        assertUsual(onAnOddThread(() -> new PinnedThreadFactory("pinned", plan).newThread(() -> {})));
        FutureTask<Thread> seen = new FutureTask<>(Thread::currentThread);
        try (Worker worker = onAnOddThread(() -> Worker.builder("worker", List.of(() -> {
                    seen.run();
                    return 0;
                }))
                .build())) {
            worker.start();
            assertUsual(seen.get());
        }
    }

    @Test
    void workersAreDaemonsWhereTheFactorySaysSo() throws Exception {
        try (LockFreeExecutor executor = LockFreeExecutor.builder()
                .threadFactory(Thread.ofPlatform().daemon().factory())
                .build()) {
            assertThat(executor.submit(() -> Thread.currentThread().isDaemon()).get())
                    .isTrue();
        }
    }

    @Test
    void theThreadOfTheTimersTakesNothingFromTheOneThatSchedulesFirst() throws Exception {
        try (LockFreeExecutor executor =
                LockFreeExecutor.builder().name("neutral").build()) {
            onAnOddThread(() -> executor.schedule(() -> {}, 1, TimeUnit.HOURS));
            Thread timers = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("neutral-timers"))
                    .findAny()
                    .orElseThrow();
            assertThat(timers.isDaemon()).as("the workers keep the JVM alive").isTrue();
            assertThat(timers.getPriority()).isEqualTo(Thread.NORM_PRIORITY);
            assertThat(timers.getContextClassLoader()).isSameAs(ClassLoader.getSystemClassLoader());
            executor.shutdownNow();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void theThreadOfTheTimersIsNotPinnedWhereAPinnedThreadSchedulesFirst() throws Exception {
        Topology topology = Topology.read();
        CpuSet process = Affinity.ofCurrentThread().orElseThrow();
        try (LockFreeExecutor executor = LockFreeExecutor.builder()
                .name("free")
                .threadFactory(new PinnedThreadFactory(
                        "pinned",
                        PinPlan.cpus(topology, topology.allowed().stream().max().orElseThrow())))
                .build()) {
            executor.submit(() -> executor.schedule(() -> {}, 1, TimeUnit.HOURS))
                    .get();
            while (!allowedOf("free-timers").equals(process.toString())) {
                Thread.onSpinWait();
            }
            executor.shutdownNow();
        }
    }

    /** Returns the CPUs of the thread of that name, or nothing. */
    private static String allowedOf(String name) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            for (Path thread : threads.toList()) {
                String status = status(thread);
                if (status.startsWith("Name:\t" + name + "\n")) {
                    String line = status.lines()
                            .filter(each -> each.startsWith("Cpus_allowed_list:"))
                            .findFirst()
                            .orElseThrow();
                    return CpuSet.parse(line.substring(line.indexOf(':') + 1)).toString();
                }
            }
        }
        return "";
    }

    private static String status(Path thread) {
        try {
            return Files.readString(thread.resolve("status"));
        } catch (IOException e) {
            return "ended meanwhile";
        }
    }
}
