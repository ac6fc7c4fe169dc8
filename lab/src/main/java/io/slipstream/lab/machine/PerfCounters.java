package io.slipstream.lab.machine;

import io.slipstream.lab.Pinning;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Whether {@code perf} can count what the hardware does. */
final class PerfCounters {
    private PerfCounters() {}

    static String available() {
        if (!Pinning.hasProgram("perf")) {
            return "perf is not installed";
        }
        try {
            Process process = new ProcessBuilder("perf", "stat", "-x", ",", "-e", "cycles", "true")
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(5, TimeUnit.SECONDS) || process.exitValue() != 0) {
                return "perf is not permitted";
            }
            return output.contains("not supported") ? "not offered by this (virtual) machine" : "available";
        } catch (IOException e) {
            return "perf does not start";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }
}
