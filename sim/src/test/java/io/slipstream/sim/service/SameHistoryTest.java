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
import org.junit.jupiter.api.Test;

/**
 * The same seeds lead to the same histories in another process, whatever its JIT compiler and collector do. With
 * {@code OTHER_JAVA=/opt/jdk-27/bin/java etc/test sim SameHistoryTest} that is also asked of another JDK; several
 * commands are separated by colons. One of them may run on another machine.
 */
class SameHistoryTest {
    private static final String OWN_JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private static long hash() {
        SimulationReport report = new SimulationReport();
        Simulation<Shop> simulation = Simulation.of(Shop::new, Shop::random)
                .topics(Shop.NEWS)
                .commands(20)
                .disastersFor(Duration.ofSeconds(2));
        for (int seed = 1; seed <= 3; seed++) {
            simulation.run(seed, report);
        }
        return report.hash();
    }

    /** What the other process runs. */
    static void main() {
        System.out.println(hash());
    }

    @Test
    void leadsToTheSameHistoryInAProcessThatOnlyInterprets() throws IOException, InterruptedException {
        assertThat(inAnotherProcess("-Xint", "-XX:+UseSerialGC")).isEqualTo(hash());
    }

    @Test
    void leadsToTheSameHistoryInAProcessThatCompilesAtOnce() throws IOException, InterruptedException {
        assertThat(inAnotherProcess("-XX:TieredStopAtLevel=1", "-XX:+UseParallelGC", "-XX:-UseCompressedOops"))
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

    private static long inAnotherProcess(List<String> java) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(java);
        command.addAll(List.of(
                "-cp",
                "target/test-classes" + File.pathSeparator
                        + System.getProperty("jdk.module.path", "") + File.pathSeparator
                        + System.getProperty("java.class.path"),
                SameHistoryTest.class.getName()));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor()).isZero();
        return Long.parseLong(text);
    }
}
