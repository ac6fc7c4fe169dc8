package io.slipstream.cli.demo;

import io.slipstream.cli.exchange.ServeExchange;
import io.slipstream.core.counters.Counters;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The exchange as a process of its own: this same program, started with {@code serve exchange}. */
final class ServerProcess implements AutoCloseable {
    private static final Pattern SERVING = Pattern.compile("Serving the exchange on \\S+:(\\d+) .*");
    private static final long STOP_SECONDS = 15;

    private final Process process;
    private int port;

    private ServerProcess(Process process) {
        this.process = process;
    }

    /** Starts the exchange, which ends when this process does, however that comes about. */
    static ServerProcess launch(Path directory, int port, String level, List<String> options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-p",
                modulePath(),
                "-m",
                "io.slipstream.cli/io.slipstream.cli.Main",
                "serve",
                "exchange",
                "--dir",
                directory.toString(),
                "--port",
                Integer.toString(port),
                "--level",
                level,
                ServeExchange.STOP_WITH_INPUT));
        command.addAll(options);
        return new ServerProcess(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /**
     * Waits until it serves; recovery may take a while.
     *
     * @param tell gets each line that it prints until then
     * @throws IOException if it ends instead; the message is the last that it said
     */
    void awaitServing(Consumer<String> tell) throws IOException {
        BufferedReader lines = process.inputReader();
        String last = "it said nothing";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            tell.accept(line);
            last = line;
            Matcher serving = SERVING.matcher(line);
            if (serving.matches()) {
                port = Integer.parseInt(serving.group(1));
                Thread.ofVirtual().start(() -> discard(lines));
                return;
            }
        }
        throw new IOException("the exchange did not start: " + last);
    }

    /** Reads what else it prints, so that it never waits for a reader. */
    private static void discard(BufferedReader lines) {
        try {
            lines.transferTo(Writer.nullWriter());
        } catch (IOException e) {
            // The process has ended.
        }
    }

    /** Lets go of it, as the death of this process would; returns its exit code, or kills it if it does not end. */
    int abandon() throws IOException, InterruptedException {
        process.getOutputStream().close();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            kill();
        }
        return process.exitValue();
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    /** Ends the process by SIGKILL: nothing is flushed, and no peer is notified. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Removes the counters that a killed process leaves for those who want to know what it last did. */
    void forget() throws IOException {
        Files.deleteIfExists(Counters.defaultFile(process.pid()));
    }

    /** Asks the process to stop and returns its exit code; kills it if it does not listen. */
    int stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            kill();
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        try {
            kill();
            forget();
        } catch (IOException e) {
            // The counters of a process that is gone do no harm.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String modulePath() {
        String own = Path.of(URI.create(ServerProcess.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
                .toString();
        return own + File.pathSeparator + System.getProperty("jdk.module.path");
    }
}
