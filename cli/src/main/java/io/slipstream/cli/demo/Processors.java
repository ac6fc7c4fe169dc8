package io.slipstream.cli.demo;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Gives the first processor to the server and the others to this process, by {@code taskset} where there is one, so that
 * clients that offer too much do not take the time of the exchange whose answer to that is to be seen.
 */
final class Processors implements AutoCloseable {
    private static final int CPUS = Runtime.getRuntime().availableProcessors();

    private final boolean shared;

    private Processors(boolean shared) {
        this.shared = shared;
    }

    /** Returns whether this machine has enough processors and the program to share them out. */
    static boolean canBeShared() {
        return CPUS >= 2 && isOnPath("taskset");
    }

    /** Shares the processors out, if that can be, until it is closed. */
    static Processors share() throws IOException, InterruptedException {
        return new Processors(canBeShared() && pin("1-" + last()));
    }

    /** Returns what to put before the command that starts the server. */
    List<String> ofServer() {
        return shared ? List.of("taskset", "-c", "0") : List.of();
    }

    @Override
    public void close() throws IOException {
        if (shared) {
            try {
                pin("0-" + last());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static int last() {
        return Math.max(1, CPUS - 1);
    }

    private static boolean pin(String cpus) throws IOException, InterruptedException {
        return new ProcessBuilder("taskset", "-a", "-c", "-p", cpus, Long.toString(ProcessHandle.current().pid()))
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
    }

    private static boolean isOnPath(String program) {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            if (Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }
}
