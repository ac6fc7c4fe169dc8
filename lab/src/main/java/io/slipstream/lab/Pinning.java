package io.slipstream.lab;

import io.slipstream.lab.machine.Processors;
import io.slipstream.lab.machine.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a thread on one processor by asking {@code taskset}, which needs no native code and works on every JVM that is
 * compared. Which processors there are to choose from, and in which order threads get them, {@link Processors} says.
 */
public final class Pinning {
    private static volatile @Nullable String failure;

    private Pinning() {}

    /** Whether this system has {@code taskset} and lets the lab use it. */
    public static boolean isPossible() {
        return obstacle() == null;
    }

    /** Why threads cannot be pinned here, or null. */
    public static @Nullable String obstacle() {
        return Holder.OBSTACLE;
    }

    /** The processor of the n-th thread of a case, from 0 on; beyond the last one it begins again. */
    public static int cpu(int member) {
        List<Integer> order = Processors.here().order();
        return order.get(member % order.size());
    }

    /** How many processors threads may be pinned to. */
    public static int cpus() {
        return Processors.here().order().size();
    }

    /** Pins the calling thread; returns whether it worked, and {@linkplain #failure notes} why not. */
    public static boolean currentThread(int cpu) {
        String why = obstacle();
        if (why == null) {
            try {
                String id =
                        Path.of("/proc/thread-self").toRealPath().getFileName().toString();
                why = complaint("taskset", "-cp", String.valueOf(cpu), id);
            } catch (IOException e) {
                why = "this thread's id cannot be read: " + e.getMessage();
            }
        }
        if (why != null) {
            note(why);
        }
        return why == null;
    }

    /** Notes that a thread that was to be pinned was not. */
    static void note(String why) {
        failure = why;
    }

    /** Why a thread of this process that was to be pinned was not; null when all were. */
    public static @Nullable String failure() {
        return failure;
    }

    /** What a command said when it failed, or null when it did what it was asked to. */
    private static @Nullable String complaint(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return command[0] + " does not end";
            }
            if (process.exitValue() == 0) {
                return null;
            }
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return said.lines().findFirst().orElse(command[0] + " ended with " + process.exitValue());
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    private static final class Holder {
        private static final @Nullable String OBSTACLE = !Programs.has("taskset")
                ? "taskset is not installed"
                : complaint("taskset", "-c", String.valueOf(cpu(0)), "true");
    }
}
