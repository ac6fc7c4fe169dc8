package io.slipstream.sim.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.sim.example.Shop;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * The same seeds lead to the same histories in another process, whatever its JIT compiler and collector do, and
 * wherever it is. With {@code OTHER_JAVA=/opt/jdk-27/bin/java etc/test sim SameHistoryTest} that is also asked of
 * another JDK; several commands are separated by colons. One of them may run on another machine.
 */
class SameHistoryTest {
    private static final String OWN_JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private static final String MOODY = "moody";

    private static long hash() {
        return hash(Shop::new);
    }

    private static long hash(Supplier<Shop> machines) {
        SimulationReport report = new SimulationReport();
        Simulation<Shop> simulation = Simulation.of(machines, Shop::random)
                .topics(Shop.NEWS)
                .commands(20)
                .disastersFor(Duration.ofSeconds(2));
        for (int seed = 1; seed <= 3; seed++) {
            simulation.run(seed, report);
        }
        return report.hash();
    }

    /** What the other process runs. */
    static void main(String[] machine) {
        System.out.println(hash(machine.length > 0 ? MoodyShop::new : Shop::new));
    }

    /** The order of such a set is another one in each process. */
    private static final class MoodyShop extends Shop {
        private static final Set<String> MOODS =
                Set.of("bored", "calm", "cross", "gay", "glad", "glum", "keen", "mad", "sad", "shy", "sore", "wry");

        @Override
        public String name() {
            return "shop";
        }

        @Override
        public long stateHash() {
            return super.stateHash() + String.join(" ", MOODS).hashCode();
        }
    }

    @Test
    void leadsToAnotherHistoryElsewhereIfTheMachineDependsOnTheOrderOfASet() throws IOException, InterruptedException {
        assertThat(inAnotherProcess(List.of(OWN_JAVA), MOODY)).isNotEqualTo(hash(MoodyShop::new));
    }

    @Test
    void leadsToTheSameHistoryInAProcessThatOnlyInterprets() throws IOException, InterruptedException {
        assertThat(inAnotherProcess(
                        "-Xint",
                        "-XX:+UseSerialGC",
                        "-Duser.timezone=Asia/Kathmandu",
                        "-Duser.language=tr",
                        "-Duser.country=TR"))
                .isEqualTo(hash());
    }

    @Test
    void leadsToTheSameHistoryInAProcessThatCompilesAtOnce() throws IOException, InterruptedException {
        assertThat(inAnotherProcess(
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseParallelGC",
                        "-XX:-UseCompressedOops",
                        "-Duser.timezone=Pacific/Apia",
                        "-Duser.language=ar"))
                .isEqualTo(hash());
    }

    @Test
    void leadsToTheSameHistoryInAProcessAsItComesOrOnOtherJdks() throws IOException, InterruptedException {
        String javas = Objects.requireNonNullElse(System.getenv("OTHER_JAVA"), OWN_JAVA);
        for (String java : javas.split(File.pathSeparator)) {
            assertThat(inAnotherProcess(List.of(java))).as(java).isEqualTo(hash());
        }
    }

    private static long inAnotherProcess(String... flags) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(OWN_JAVA);
        command.addAll(List.of(flags));
        return inAnotherProcess(command);
    }

    private static long inAnotherProcess(List<String> java, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(java);
        command.addAll(List.of(
                "-cp",
                "target/test-classes" + File.pathSeparator
                        + System.getProperty("jdk.module.path", "") + File.pathSeparator
                        + System.getProperty("java.class.path"),
                SameHistoryTest.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor()).isZero();
        return Long.parseLong(text);
    }
}
