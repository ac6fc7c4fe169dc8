package io.slipstream.core.affinity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Binds the calling thread by the {@code taskset} command of util-linux, without native access.
 *
 * @param command  where it is
 * @param patience how long it may take; the thread goes on unpinned then
 */
record TasksetBinder(Path command, Duration patience) implements Affinity.Binder {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    static Optional<Affinity.Binder> find() {
        return Stream.of("/usr/bin/taskset", "/bin/taskset", "/usr/sbin/taskset")
                .map(Path::of)
                .filter(Files::isExecutable)
                .<Affinity.Binder>map(path -> new TasksetBinder(path, PATIENCE))
                .findFirst();
    }

    @Override
    public Optional<String> bind(CpuSet cpus) {
        try {
            // "/proc/thread-self" leads to "<process>/task/<thread>".
            String thread = Files.readSymbolicLink(Path.of("/proc/thread-self"))
                    .getFileName()
                    .toString();
            Process process = new ProcessBuilder(List.of(command.toString(), "-p", "-c", cpus.toString(), thread))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                return answer(process, cpus);
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            return Optional.of(command + " failed: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted while " + command + " ran");
        }
    }

    /**
     * Waits first and reads then, since reading has no limit of time; what the command says is far less than a pipe
     * holds.
     */
    private Optional<String> answer(Process process, CpuSet cpus) throws IOException, InterruptedException {
        process.getOutputStream().close();
        if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            return Optional.of(command + " has not answered for " + patience.toMillis() + " ms");
        }
        if (process.exitValue() == 0) {
            return Optional.empty();
        }
        String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return Optional.of("CPUs " + cpus + " were refused: " + said);
    }

    @Override
    public String name() {
        return "taskset";
    }
}
