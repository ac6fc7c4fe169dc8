package io.slipstream.benchmarks.journal;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.journal.config.JournalConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Appending beside a small C program that does the least which a journal must: it copies, numbers and checks each
 * record, into
 * files that were filled before. In millions of records a second.
 */
final class FloorContest implements Contest {
    private static final String SOURCE = "journal-floor.c";

    private final JournalConfig config;
    private final String mode;
    private final int payloadBytes;
    private final int records;
    private final int batch;
    private final Path program;

    /** Compiles the program; {@code mode} is its way of writing. */
    FloorContest(JournalConfig config, String mode, int payloadBytes, int records, int batch) throws IOException {
        this.config = config;
        this.mode = mode;
        this.payloadBytes = payloadBytes;
        this.records = records / batch * batch;
        this.batch = batch;
        this.program = compile();
    }

    /** Returns whether there is a compiler, and a processor that the program knows. */
    static boolean isPossible() {
        boolean known = List.of("amd64", "aarch64").contains(System.getProperty("os.arch"));
        return known && Files.isExecutable(Path.of("/usr/bin/gcc"));
    }

    @Override
    public double ours() throws IOException {
        Path folder = Folders.create();
        long nanos = OurJournal.append(folder, config, payloadBytes, records, batch);
        Folders.remove(folder);
        return records * 1_000.0 / nanos;
    }

    @Override
    public double peer() throws Exception {
        Path folder = Folders.create();
        String out = run(List.of(
                program.toString(),
                mode,
                folder.resolve("floor").toString(),
                String.valueOf(records),
                String.valueOf(payloadBytes)));
        Folders.remove(folder);
        return records * 1_000.0 / Long.parseLong(out.strip());
    }

    private static Path compile() throws IOException {
        Path folder = Files.createDirectories(Path.of("target", "floor"));
        Path source = folder.resolve(SOURCE);
        try (InputStream in = Objects.requireNonNull(FloorContest.class.getResourceAsStream(SOURCE), SOURCE)) {
            Files.write(source, in.readAllBytes());
        }
        Path program = folder.resolve("journal-floor").toAbsolutePath();
        List<String> command = new ArrayList<>(List.of("/usr/bin/gcc", "-O2"));
        command.add(System.getProperty("os.arch").equals("amd64") ? "-msse4.2" : "-march=armv8-a+crc");
        command.addAll(List.of("-o", program.toString(), source.toString()));
        run(command);
        return program;
    }

    private static String run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(command.getFirst() + " has failed: " + out);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            throw new IOException(e);
        }
        return out;
    }
}
