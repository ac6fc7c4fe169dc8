package io.slipstream.cli.demo;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One member of the exchange as a process of its own. */
final class MemberChild implements AutoCloseable {
    private static final Duration ORDERLY_END = Duration.ofSeconds(10);

    private final Process process;

    private MemberChild(Process process) {
        this.process = process;
    }

    /** Starts a member, which ends when this process does, and waits until it takes part. */
    static MemberChild launch(Path members, int member, Path directory) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/jdk.internal.misc=org.agrona",
                "--sun-misc-unsafe-memory-access=allow",
                "-p",
                modulePath(),
                "-m",
                "io.slipstream.cli/io.slipstream.cli.Main",
                "serve",
                "exchange",
                "--dir",
                directory.toString(),
                "--cluster",
                members.toString(),
                "--member",
                Integer.toString(member),
                "--level",
                "PROCESS",
                "--stop-with-input"));
        if (!Files.exists(directory)) {
            command.add("--form");
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        BufferedReader lines = process.inputReader();
        String last = "it said nothing";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            last = line;
            if (line.startsWith("Serving")) {
                Thread.ofVirtual().start(() -> discard(lines));
                return new MemberChild(process);
            }
        }
        throw new IOException("member " + member + " did not start: " + last);
    }

    private static void discard(BufferedReader lines) {
        try {
            lines.transferTo(Writer.nullWriter());
        } catch (IOException e) {
            // The process has ended.
        }
    }

    /** Ends the process by SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    long pid() {
        return process.pid();
    }

    /** Ends the process in order, so that it removes what it has in shared memory; by force if it takes too long. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(ORDERLY_END)) {
                kill();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static String modulePath() {
        String own = Path.of(URI.create(MemberChild.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
                .toString();
        return own + File.pathSeparator + System.getProperty("jdk.module.path");
    }
}
