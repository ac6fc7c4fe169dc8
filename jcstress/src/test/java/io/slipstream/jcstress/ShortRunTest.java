package io.slipstream.jcstress;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A short run, in the JVM's usual mode of compilation alone: enough to see that the proofs run and bite. The long one,
 * {@code jcstress/run}, takes all of them through all modes of compilation.
 */
@Timeout(480)
class ShortRunTest {
    /** Of tests that differ in one class alone the short run takes one. */
    private static final String ALIKE = "[.$]Single[A-Z]\\w+|QueuePublication[.$](OneTo\\w+|ManyToOne|Growing)|"
            + "TwoProducers[.$]ToMany|TwoConsumers[.$]OfOne|DrainRaces[.$](Growing|\\w+ToMany)|FillRaces[.$]ManyTo\\w+|"
            + "RelaxedRaces[.$](ManyToOne|OneToMany|Growing|ProducersToMany|ConsumersOfMany)|"
            + "Broken(TwoConsumersManyToOne|TwoConsumersGrowing|Share)";
    private static final String MILLIS = "60";
    private static final int MOST_ITERATIONS = 32;

    @TempDir
    private Path results;

    @Test
    void theProofsHold() throws Exception {
        Run run = run("^(?!.*[.$]Broken)(?!.*(" + ALIKE + ")$).*$", 1);
        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(run.output()).contains("0 failed");
    }

    /** A race that is there need not show in every short run, so each twin gets a few, each longer than the one before. */
    @Test
    void theBrokenTwinsAreCaught() throws Exception {
        Set<String> missing = new TreeSet<>(brokenTwins());
        String output = "";
        for (int iterations = 1; iterations <= MOST_ITERATIONS && !missing.isEmpty(); iterations *= 2) {
            output = run(".*[.$](" + String.join("|", missing) + ")$", iterations).output();
            missing.removeAll(failed(output));
        }
        assertThat(missing).as(output).isEmpty();
    }

    /** The annotation processor lists the tests, one a line, with their class names first. */
    private static Set<String> brokenTwins() throws IOException {
        return Files.readAllLines(Path.of("target/classes/META-INF/TestList")).stream()
                .flatMap(line -> names(line)).filter(name -> !name.matches(ALIKE)).collect(Collectors.toSet());
    }

    private static Set<String> failed(String output) {
        return output.lines().filter(line -> line.contains("FAILED")).flatMap(line -> names(line))
                .collect(Collectors.toSet());
    }

    private static Stream<String> names(String line) {
        return Pattern.compile("[.$](Broken[A-Za-z]+)").matcher(line).results().map(match -> match.group(1));
    }

    private record Run(int exitCode, String output) {
    }

    private Run run(String tests, int iterations) throws Exception {
        String classPath = Path.of("target/classes").toAbsolutePath() + File.pathSeparator
                + Files.readString(Path.of("target/class-path")).strip();
        Path log = results.resolve("log");
        Process process = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", classPath,
                "org.openjdk.jcstress.Main", "-t", tests, "-time", MILLIS, "-iters", String.valueOf(iterations), "-f", "1", "-fsm", "1", "-c", "2", "-sc",
                "false", "-af", "NONE", "-jvmArgs", "-Xmx256m -XX:+UseSerialGC",
                "-r", results.toString()).directory(results.toFile()).redirectErrorStream(true)
                .redirectOutput(log.toFile()).start();
        boolean ended = process.waitFor(400, TimeUnit.SECONDS);
        process.destroyForcibly();
        String output = new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
        assertThat(ended).as(output).isTrue();
        return new Run(process.exitValue(), output);
    }
}
