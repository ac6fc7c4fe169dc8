package io.slipstream.core.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class TasksetBinderTest {
    @TempDir
    private Path folder;

    private TasksetBinder command(String script, Duration patience) throws IOException {
        Path file = Files.writeString(folder.resolve("taskset"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return new TasksetBinder(file, patience);
    }

    @Test
    void goesOnWithoutACommandThatDoesNotAnswerAndEndsIt() throws Exception {
        TasksetBinder binder =
                command("echo $$ > " + folder.resolve("pid") + "; exec sleep 600", Duration.ofSeconds(1));
        assertThat(binder.bind(CpuSet.of(0)).orElseThrow()).contains("taskset has not answered for 1000 ms");
        assertNothingRuns();
    }

    @Test
    void endsTheCommandWhenTheThreadIsInterrupted() throws Exception {
        Thread.currentThread().interrupt();
        assertThat(command("echo $$ > " + folder.resolve("pid") + "; exec sleep 600", Duration.ofMinutes(10))
                        .bind(CpuSet.of(0))
                        .orElseThrow())
                .contains("interrupted while");
        assertThat(Thread.interrupted()).isTrue();
        assertNothingRuns();
    }

    @Test
    void tellsWhatTheCommandSaysWhenItRefuses() throws Exception {
        assertThat(command("echo CPUs 0,1 before; echo no such CPU >&2; exit 1", Await.PATIENCE)
                        .bind(CpuSet.of(0)))
                .contains("CPUs 0 were refused: no such CPU");
        assertThat(command("exit 0", Await.PATIENCE).bind(CpuSet.of(0))).isEmpty();
    }

    private void assertNothingRuns() throws IOException, InterruptedException {
        Path pid = folder.resolve("pid");
        String said = Files.exists(pid) ? Files.readString(pid).strip() : "";
        if (!said.isEmpty()) {
            var process = ProcessHandle.of(Long.parseLong(said));
            while (process.isPresent() && process.get().isAlive()) {
                Thread.sleep(1);
            }
        }
    }
}
