package io.slipstream.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
        List<Double> ours = new ArrayList<>();
        List<Double> peer = new ArrayList<>();
        for (int jvm = 0; jvm < comparison.plan().jvms(); jvm++) {
            runJvm(comparison, ours, peer);
        }
        return new Result(suite.name(), comparison, new Rounds(ours), new Rounds(peer));
    }

    private void runJvm(Comparison comparison, List<Double> ours, List<Double> peer)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        Thread killer = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(killer);
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(RoundsInOneJvm.OURS)) {
                    ours.add(Double.valueOf(line.substring(RoundsInOneJvm.OURS.length())));
                } else if (line.startsWith(RoundsInOneJvm.PEER)) {
                    peer.add(Double.valueOf(line.substring(RoundsInOneJvm.PEER.length())));
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
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), RoundsInOneJvm.class.getName(),
                suite.name(), Integer.toString(number), Boolean.toString(quick)));
        return command;
    }
}
