package io.slipstream.cli.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slipstream.cli.Main;
import io.slipstream.lab.CppProgram;
import io.slipstream.testkit.Await;
import java.io.File;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ends a lab in the middle of a measurement. SIGTERM does what Ctrl-C does, and is not ignored in the background. (How
 * it ends in the middle of a twin is tested in the lab itself.)
 */
class InterruptedRunTest {
    /** Its one case in Java, which comes before its twins, spins on no processor and is soon measured. */
    private static final String EXPERIMENT = "B32";

    private static final String TWIN = "k_nucleotide";

    @TempDir
    private Path directory;

    private Path scratch = Path.of("");
    private Path out = Path.of("");

    @BeforeEach
    void directories() throws Exception {
        scratch = Files.createDirectory(directory.resolve("scratch"));
        out = directory.resolve("out");
    }

    @Test
    void inTheMiddleOfAForkItWritesWhatItHasAndLeavesNothingBehind() throws Exception {
        Process lab = start();
        List<ProcessHandle> children = await(lab, InterruptedRunTest::isFork);

        lab.destroy();

        endsInOrder(lab, children);
    }

    @Test
    void killedItTakesForkAndTwinWithIt() throws Exception {
        assumeTrue(CppProgram.isPossible(), "there is no g++ here");
        Process lab = start();
        List<ProcessHandle> children = await(lab, InterruptedRunTest::isTwin);

        lab.destroyForcibly();

        assertThat(children).allSatisfy(child -> assertThat(child.onExit()).succeedsWithin(Await.PATIENCE));
        removeFrom(Path.of("/dev/shm"), "slipstream-lab-" + lab.pid() + "-*");
    }

    /** What a killed process could not remove itself. */
    private static void removeFrom(Path parent, String names) throws Exception {
        if (Files.isDirectory(parent)) {
            try (DirectoryStream<Path> left = Files.newDirectoryStream(parent, names)) {
                for (Path own : left) {
                    try (Stream<Path> within = Files.walk(own)) {
                        for (Path each :
                                within.sorted(Comparator.reverseOrder()).toList()) {
                            Files.delete(each);
                        }
                    }
                }
            }
        }
    }

    private void endsInOrder(Process lab, List<ProcessHandle> children) throws Exception {
        Await.exitCode(lab);
        assertThat(children)
                .isNotEmpty()
                .allSatisfy(child -> assertThat(child.onExit()).succeedsWithin(Await.PATIENCE));
        assertThat(Files.readString(out.resolve("report.html"))).contains("This report is partial: it was interrupted");
        assertThat(Files.readString(directory.resolve("said"))).contains("partial: it was interrupted");
        assertThat(scratch).isEmptyDirectory();
    }

    private Process start() throws Exception {
        String own = Path.of(URI.create(Main.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
                .toString();
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-p",
                        own + File.pathSeparator + System.getProperty("jdk.module.path"),
                        "-m",
                        "io.slipstream.cli/io.slipstream.cli.Main",
                        "lab",
                        "run",
                        EXPERIMENT,
                        "--quick",
                        "--scratch",
                        scratch.toString(),
                        "--out",
                        out.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("said").toFile())
                .start();
    }

    /** Waits until there is such a descendant; returns all. */
    private List<ProcessHandle> await(Process lab, Predicate<ProcessHandle> wanted) throws Exception {
        while (true) {
            List<ProcessHandle> found = new ArrayList<>(lab.descendants().toList());
            if (found.stream().anyMatch(wanted)) {
                return found;
            }
            assertThat(lab.isAlive())
                    .as(Files.readString(directory.resolve("said")))
                    .isTrue();
            // A look reads what the kernel says of all processes.
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static boolean isFork(ProcessHandle process) {
        return process.info().commandLine().orElse("").contains("io.slipstream.lab.run.Fork");
    }

    private static boolean isTwin(ProcessHandle process) {
        return process.info().command().orElse("").endsWith(TWIN);
    }
}
