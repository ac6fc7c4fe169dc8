package io.slipstream.benchmarks.ring;

import io.slipstream.benchmarks.suite.Contest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;

/**
 * One percentile of {@link PingPong} beside the same between two padded atomics in C++, which is what the machine can
 * do.
 */
final class FloorContest implements Contest {
    private static final String SOURCE = "ping-pong.cpp";

    private final PingPong game;
    private final int roundTrips;
    private final boolean frames;
    private final int percentile;
    private final Path folder;

    FloorContest(int roundTrips, boolean frames, int percentile) throws IOException, InterruptedException {
        this.game = new PingPong(roundTrips);
        this.roundTrips = roundTrips;
        this.frames = frames;
        this.percentile = percentile;
        this.folder = Files.createTempDirectory("ping-pong");
        try (InputStream source = FloorContest.class.getResourceAsStream(SOURCE)) {
            Files.copy(Objects.requireNonNull(source, SOURCE), folder.resolve(SOURCE));
        }
        run(
                "g++",
                "-O2",
                "-pthread",
                "-o",
                folder.resolve("ping-pong").toString(),
                folder.resolve(SOURCE).toString());
    }

    static boolean hasCompiler() {
        return Arrays.stream(
                        Objects.requireNonNullElse(System.getenv("PATH"), "").split(":"))
                .anyMatch(path -> Files.isExecutable(Path.of(path, "g++")));
    }

    @Override
    public double ours() throws Exception {
        return (frames ? game.ourFrames() : game.ours())[percentile];
    }

    @Override
    public double peer() throws Exception {
        String percentiles = run(folder.resolve("ping-pong").toString(), Integer.toString(roundTrips));
        return Double.parseDouble(percentiles.strip().split(" ")[percentile]);
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed: " + output);
        }
        return output;
    }

    @Override
    public void close() throws IOException {
        for (String file : new String[] {SOURCE, "ping-pong", ""}) {
            Files.deleteIfExists(folder.resolve(file));
        }
    }
}
