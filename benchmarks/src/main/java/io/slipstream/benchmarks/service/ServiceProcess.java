package io.slipstream.benchmarks.service;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.ServiceEvents;
import io.slipstream.service.WarmUp;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A service in a process of its own, fresh from its start. It answers each line with the bytes that it holds. */
final class ServiceProcess implements AutoCloseable {
    private static final int CLIENTS = 12_000;

    private final Process process;
    private final BufferedReader out;
    private final Writer in;
    private final int port;

    ServiceProcess(Path folder, boolean warm) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServiceProcess.class.getName(),
                        folder.toString(),
                        Boolean.toString(warm))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        out = process.inputReader();
        in = process.outputWriter();
        port = (int) number();
    }

    int port() {
        return port;
    }

    /** Returns how many bytes of heap are in use after a collection, and of memory for connections. */
    long bytes() throws IOException {
        in.write("\n");
        in.flush();
        return number();
    }

    private long number() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException("the service has not started");
        }
        return Long.parseLong(line);
    }

    @Override
    public void close() throws IOException {
        in.close();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Arguments: the folder, and whether to warm up. */
    public static void main(String[] args) throws IOException {
        ServiceConfig config = ServiceConfig.in(Path.of(args[0]))
                .withEvents(ServiceEvents.ignored())
                .withJournal(JournalConfig.at(Durability.PROCESS))
                .withLimits(limits -> limits.withClients(CLIENTS, CLIENTS, 4096));
        if (Boolean.parseBoolean(args[1])) {
            config = config.withWarmUp(WarmUp.with(List.of(new byte[64])));
        }
        try (Service service = Service.start(config, Counting::new);
                BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println(service.port());
            while (lines.readLine() != null) {
                System.gc();
                Runtime runtime = Runtime.getRuntime();
                System.out.println(runtime.totalMemory() - runtime.freeMemory() + service.connectionBytes());
            }
        }
    }
}
