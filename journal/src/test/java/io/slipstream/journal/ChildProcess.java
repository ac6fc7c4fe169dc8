package io.slipstream.journal;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.WriteMode;
import io.slipstream.testkit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Starts processes of this JVM's kind with the classes under test. */
final class ChildProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;

    private ChildProcess(Process process) {
        this.process = process;
        this.out = process.inputReader();
    }

    static ChildProcess appending(
            List<String> prefix, Path folder, Durability durability, WriteMode mode, int segmentBytes)
            throws IOException {
        return appending(prefix, folder, durability, mode, segmentBytes, false, 1, "");
    }

    static ChildProcess appending(
            List<String> prefix,
            Path folder,
            Durability durability,
            WriteMode mode,
            int segmentBytes,
            boolean trims,
            int prepared,
            String life)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(javaCommand());
        command.addAll(List.of(
                AppendingProcess.class.getName(),
                folder.toString(),
                durability.name(),
                mode.name(),
                Integer.toString(segmentBytes),
                Boolean.toString(trims),
                Integer.toString(prepared),
                life));
        return new ChildProcess(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** Starts a process that opens a journal in a heap, and as much memory beside it, of {@code megabytes}. */
    static ChildProcess recovering(Path folder, int megabytes, int processors) throws IOException {
        List<String> command = new ArrayList<>(javaCommand());
        command.addAll(List.of(
                "-Xmx" + megabytes + "m",
                "-XX:ActiveProcessorCount=" + processors,
                RecoveringProcess.class.getName(),
                folder.toString()));
        return new ChildProcess(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    private static List<String> javaCommand() {
        String path = List.of(Journal.class, AppendingProcess.class, Frame.class).stream()
                .map(type -> Path.of(URI.create(type.getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toString()))
                        .toString())
                .distinct()
                .reduce((a, b) -> a + ":" + b)
                .orElseThrow();
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--sun-misc-unsafe-memory-access=deny",
                "--illegal-native-access=deny",
                "-Xshare:auto",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                path);
    }

    /** Returns the next line, or null at the end. */
    @Nullable
    String nextLine() throws IOException {
        return out.readLine();
    }

    /** Returns all lines up to the end. */
    List<String> allLines() throws IOException {
        return out.lines().toList();
    }

    /** Ends the process at once, as nothing inside it can notice, and returns what it had printed. */
    List<String> kill() throws Exception {
        // Not the process's own method, which would close the stream with what is still in it.
        List<ProcessHandle> all = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
        process.toHandle().destroyForcibly();
        List<String> rest = allLines();
        // A process that ends closes its output before its other files; only when it is gone, so are its locks.
        Await.until("the processes are gone", () -> all.stream().noneMatch(ProcessHandle::isAlive));
        return rest;
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        out.close();
    }
}
