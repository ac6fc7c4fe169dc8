package io.slipstream.benchmarks;

import io.slipstream.benchmarks.suite.Comparison;
import io.slipstream.benchmarks.suite.Suite;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs a comparison in JVMs of its own and gathers the figures. */
final class ForkedComparison {
    private final Suite suite;
    private final int number;
    private final boolean quick;

    ForkedComparison(Suite suite, int number, boolean quick) {
        this.suite = suite;
        this.number = number;
        this.quick = quick;
    }

    /**
     * Runs it.
     *
     * @throws IOException if one of the JVMs failed; what it had to say is on the standard error stream
     */
    Result run() throws IOException, InterruptedException {
        Comparison comparison = suite.comparisons(quick).get(number);
        Map<String, List<Double>> figures = new HashMap<>();
        for (int jvm = 0; jvm < comparison.plan().jvms(); jvm++) {
            runJvm(comparison, figures);
        }
        return new Result(
                suite.name(),
                comparison,
                rounds(figures, RoundsInOneJvm.OURS),
                rounds(figures, RoundsInOneJvm.PEER),
                rounds(figures, RoundsInOneJvm.TRIP));
    }

    private static Rounds rounds(Map<String, List<Double>> figures, String mark) {
        return new Rounds(figures.getOrDefault(mark, List.of()));
    }

    private void runJvm(Comparison comparison, Map<String, List<Double>> figures)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Thread killer = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(killer);
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String mark = line.substring(0, Math.min(RoundsInOneJvm.MARK_LENGTH, line.length()));
                if (RoundsInOneJvm.MARKS.contains(mark)) {
                    figures.computeIfAbsent(mark, _ -> new ArrayList<>())
                            .add(Double.valueOf(line.substring(mark.length())));
                } else {
                    System.err.println(line);
                }
            }
            int status = process.waitFor();
            if (status != 0) {
                throw new IOException(suite.name() + ": " + comparison.name() + " against " + comparison.peerName()
                        + " failed with exit code " + status);
            }
        } finally {
            process.destroyForcibly();
            Runtime.getRuntime().removeShutdownHook(killer);
        }
    }

    private List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(suite.jvmOptions());
        // Logback is a peer here, not what other peers log through.
        command.add("-Dslf4j.provider=org.slf4j.nop.NOPServiceProvider");
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                RoundsInOneJvm.class.getName(),
                suite.name(),
                Integer.toString(number),
                Boolean.toString(quick)));
        return command;
    }
}
