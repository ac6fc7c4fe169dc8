package io.slipstream.lab.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Whether {@code perf} can count what the hardware does. */
final class PerfCounters {
    static final String AVAILABLE = "available";

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private PerfCounters() {}

    static String available() {
        return Programs.has("perf") ? available("perf", PATIENCE) : "perf is not installed";
    }

    /** What a program that behaves as {@code perf} gives, in words. */
    static String available(String perf, Duration patience) {
        try {
            Process process = new ProcessBuilder(perf, "stat", "-x", ",", "-e", "cycles", "true")
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                return "perf does not end";
            }
            // Only now: a program that hangs does not close its output either.
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (said.contains("<not supported>")) {
                return "hidden by this (virtual) machine: perf counts only what the kernel does";
            }
            if (process.exitValue() != 0 || said.contains("<not counted>")) {
                return isForbidden(said)
                        ? "perf is not permitted: see /proc/sys/kernel/perf_event_paranoid"
                        : "perf is installed but fails: "
                                + said.strip().lines().findFirst().orElse("it ended with " + process.exitValue());
            }
            return AVAILABLE;
        } catch (IOException e) {
            return "perf does not start: " + e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }

    private static boolean isForbidden(String said) {
        return said.contains("ermission") || said.contains("perf_event_paranoid") || said.contains("not permitted");
    }
}
