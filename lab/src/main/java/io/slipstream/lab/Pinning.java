package io.slipstream.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Keeps a thread on one processor by asking {@code taskset}, which needs no native code and works on every JVM that is
 * compared.
 */
public final class Pinning {
    private static final List<String> DIRECTORIES = List.of("/usr/bin", "/bin", "/usr/local/bin", "/sbin", "/usr/sbin");

    private Pinning() {}

    /** Whether this system has {@code taskset} and lets the lab use it. */
    public static boolean isPossible() {
        return Holder.POSSIBLE;
    }

    /** Pins the calling thread; returns whether it worked. */
    public static boolean currentThread(int cpu) {
        if (!isPossible()) {
            return false;
        }
        try {
            String id = Path.of("/proc/thread-self").toRealPath().getFileName().toString();
            return succeeds("taskset", "-cp", String.valueOf(cpu), id);
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether a program is on this machine. */
    public static boolean hasProgram(String name) {
        return DIRECTORIES.stream().anyMatch(d -> Files.isExecutable(Path.of(d, name)));
    }

    private static boolean succeeds(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return false;
            }
            return process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static final class Holder {
        static final boolean POSSIBLE = hasProgram("taskset") && succeeds("taskset", "-c", "0", "true");
    }
}
