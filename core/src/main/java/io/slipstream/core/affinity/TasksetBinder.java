package io.slipstream.core.affinity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Binds the calling thread by the {@code taskset} command of util-linux, without native access. */
record TasksetBinder(Path command) implements Affinity.Binder {
    private static final long PATIENCE_SECONDS = 5;

    static Optional<Affinity.Binder> find() {
        return Stream.of("/usr/bin/taskset", "/bin/taskset", "/usr/sbin/taskset").map(Path::of)
                .filter(Files::isExecutable).<Affinity.Binder>map(TasksetBinder::new).findFirst();
    }

    @Override
    public Optional<String> bind(CpuSet cpus) {
        try {
            // "/proc/thread-self" leads to "<process>/task/<thread>".
            String thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString();
            Process process = new ProcessBuilder(List.of(command.toString(), "-p", "-c", cpus.toString(), thread))
                    .redirectErrorStream(true).start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return Optional.of(command + " does not answer");
            }
            return process.exitValue() == 0 ? Optional.empty() : Optional.of("CPUs " + cpus + " were refused: " + said);
        } catch (IOException e) {
            return Optional.of(command + " failed: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted while " + command + " ran");
        }
    }

    @Override
    public String name() {
        return "taskset";
    }
}
