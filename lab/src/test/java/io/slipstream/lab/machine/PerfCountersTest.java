package io.slipstream.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With programs that behave as {@code perf} does on machines of all kinds. */
class PerfCountersTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    @Test
    void saysThatTheMachineHidesItsCounters() throws IOException {
        assertThat(with("echo '<not supported>,,cycles,0,100.00,,' >&2"))
                .isEqualTo("hidden by this (virtual) machine: perf counts only what the kernel does");
    }

    @Test
    void saysThatItIsNotPermittedAndWhereThatIsSet() throws IOException {
        assertThat(with("echo 'Error:' >&2; echo 'No permission to enable cycles event.' >&2; exit 255"))
                .isEqualTo("perf is not permitted: see /proc/sys/kernel/perf_event_paranoid");
    }

    @Test
    void saysWhatItSaysOfAnotherKernel() throws IOException {
        assertThat(with("echo 'WARNING: perf not found for kernel 6.1' >&2; exit 2"))
                .isEqualTo("perf is installed but fails: WARNING: perf not found for kernel 6.1");
    }

    @Test
    void isAvailableWhereItCounts() throws IOException {
        assertThat(with("[ \"$1\" = stat ] && echo '123456,,cycles,1000,100.00,,' >&2"))
                .isEqualTo("available");
    }

    @Test
    void doesNotWaitForOneThatHangs() throws IOException {
        assertThat(PerfCounters.available(script("sleep 600"), Duration.ofMillis(50)))
                .isEqualTo("perf does not end");
    }

    @Test
    void saysThatItDoesNotStart() {
        assertThat(PerfCounters.available(directory.resolve("none").toString(), PATIENCE))
                .startsWith("perf does not start");
    }

    private String with(String script) throws IOException {
        return PerfCounters.available(script(script), PATIENCE);
    }

    private String script(String script) throws IOException {
        Path perf = Files.writeString(directory.resolve("perf"), "#!/bin/sh\n" + script + "\n");
        assertThat(perf.toFile().setExecutable(true)).isTrue();
        return perf.toString();
    }
}
