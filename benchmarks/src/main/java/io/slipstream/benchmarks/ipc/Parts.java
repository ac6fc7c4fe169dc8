package io.slipstream.benchmarks.ipc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The processes of one system in a contest. */
final class Parts implements AutoCloseable {
    private final Path folder;
    private final List<Part> all = new ArrayList<>();
    private final @Nullable Process driver;

    private record Part(String role, Process process, BufferedReader out, PrintStream in) {
        private String expect(String beginning) throws IOException {
            String line = out.readLine();
            if (line == null || !line.startsWith(beginning)) {
                throw new IOException(role + " said: " + line);
            }
            return line;
        }
    }

    /** Starts the parts of {@code system}, receivers first. */
    Parts(String system, List<String> roles, int bytes) throws IOException {
        this.folder = Files.createTempDirectory(Path.of("/dev/shm"), "slipstream-bench-");
        int publishers = (int) roles.stream().filter("publisher"::equals).count();
        if (system.startsWith("slipstream") || system.equals("c")) {
            for (int stream = 1; stream <= 2; stream++) {
                SlipstreamLink.create(folder, stream, system.equals("slipstream-many"));
            }
        }
        this.driver = system.startsWith("aeron")
                ? start("the driver", List.of(DriverProcess.class.getName(), folder.toString()))
                : null;
        for (String role : roles) {
            all.add(start(system, role, bytes, publishers));
        }
        for (Part part : all) {
            part.expect("ready");
        }
    }

    /** Starts one more part. */
    void add(String system, String role, int bytes) throws IOException {
        Part part = start(system, role, bytes, 1);
        all.add(part);
        part.expect("ready");
    }

    private Part start(String system, String role, int bytes, int publishers) throws IOException {
        if (system.equals("c")) {
            return part(role, CProgram.command(role, folder, bytes));
        }
        if (system.equals("iceoryx")) {
            return part(role, IceoryxProgram.command(role, folder));
        }
        return part(
                role,
                java(List.of(
                        PartProcess.class.getName(), system, role, folder.toString(), "" + bytes, "" + publishers)));
    }

    /** Kills all parts, but not the driver, by SIGKILL. */
    void kill() throws IOException {
        for (Part part : all) {
            part.process().destroyForcibly();
        }
    }

    /** Returns where the parts meet. */
    Path folder() {
        return folder;
    }

    private static List<String> java(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens",
                "java.base/jdk.internal.misc=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(arguments);
        return command;
    }

    private static Part part(String role, List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        return new Part(role, process, process.inputReader(), new PrintStream(process.getOutputStream(), true));
    }

    private static Process start(String role, List<String> arguments) throws IOException {
        Part part = part(role, java(arguments));
        part.expect("ready");
        return part.process();
    }

    /**
     * Runs a round of {@code count} messages; returns what the last part that says something has said, and the time it
     * took.
     */
    Round run(long count) throws IOException {
        long begin = System.nanoTime();
        for (Part part : all) {
            part.in().println(count);
        }
        String said = "";
        for (Part part : all) {
            if (!part.role().equals("publisher") && !part.role().equals("pong")) {
                said = part.expect("done");
            }
        }
        long nanos = System.nanoTime() - begin;
        for (Part part : all) {
            part.expect("ready");
        }
        return new Round(said, nanos);
    }

    record Round(String said, long nanos) {}

    @Override
    public void close() throws IOException {
        for (Part part : all) {
            part.in().close();
        }
        for (Part part : all) {
            end(part.process());
        }
        if (driver != null) {
            driver.getOutputStream().close();
            end(driver);
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static void end(Process process) {
        try {
            if (!process.waitFor(2, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
