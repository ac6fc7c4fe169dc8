package io.slipstream.benchmarks.keyvalue;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.keyvalue.KeyValueStore;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** One test of {@code redis-benchmark} with 50 clients and values of 64 bytes, on ours and on Redis. */
final class RedisContest implements Contest {
    private static final String CLIENTS = "50";
    private static final int KEYS = 1_000_000;

    private final Path folder = Files.createTempDirectory(Path.of("").toAbsolutePath(), "keyvalue-");
    private final String test;
    private final int pipeline;
    private final int requests;
    private final RespProtocol protocol = new RespProtocol();
    private final Service ours;
    private final RedisServer redis;

    RedisContest(Durability level, String fsync, String test, int pipeline, int requests) throws IOException {
        this.test = test;
        this.pipeline = pipeline;
        this.requests = requests;
        InetSocketAddress anywhere = new InetSocketAddress("127.0.0.1", 0);
        ours = Service.start(
                ServiceConfig.in(folder.resolve("ours"))
                        .withAddress(anywhere)
                        .withProtocol(protocol, anywhere)
                        .withJournal(JournalConfig.at(level))
                        .withLimits(limits -> limits.withMaxFrameLength(1 << 19))
                        .withMaxResponseTime(Duration.ofSeconds(10)),
                KeyValueStore::new);
        redis = new RedisServer(Files.createDirectory(folder.resolve("redis")), fsync);
        if (test.equals("get")) {
            for (int port : new int[] {ours.port(protocol), redis.port()}) {
                // Random keys: seven of eight are there then.
                benchmark(port, "set", pipeline, 2 * KEYS);
            }
        }
    }

    @Override
    public double ours() throws IOException {
        return round(ours.port(protocol));
    }

    @Override
    public double peer() throws IOException {
        return round(redis.port());
    }

    private double round(int port) throws IOException {
        if (test.equals("lpop")) {
            // There has to be something to pop.
            benchmark(port, "lpush", pipeline, requests);
        }
        return benchmark(port, test, pipeline, requests);
    }

    /** Returns how many requests a second {@code redis-benchmark} counts; fails unless the server has done them all. */
    static double benchmark(int port, String what, int pipeline, int requests) throws IOException {
        try (Filler server = new Filler(port)) {
            String command = what.startsWith("lrange") ? "lrange" : what;
            long before = server.calls(command);
            double rate = run(port, what, pipeline, requests);
            long calls = server.calls(command) - before;
            if (calls < requests) {
                throw new IOException("the server has done " + calls + " of " + requests + " requests");
            }
            return rate;
        }
    }

    private static double run(int port, String what, int pipeline, int requests) throws IOException {
        Process process = new ProcessBuilder(
                        "redis-benchmark",
                        "-p",
                        Integer.toString(port),
                        "-c",
                        CLIENTS,
                        "-d",
                        "64",
                        "-r",
                        Integer.toString(KEYS),
                        "-n",
                        Integer.toString(requests),
                        "-P",
                        Integer.toString(pipeline),
                        "--csv",
                        "-t",
                        what)
                .redirectErrorStream(true)
                .start();
        try (BufferedReader out = process.inputReader()) {
            List<String> lines = out.lines().toList();
            // The last line is the test itself; those before are its header and what it prepares.
            String[] cells = lines.getLast().replace("\"", "").split(",");
            if (lines.stream().anyMatch(line -> line.contains("rror")) || cells.length < 2) {
                throw new IOException("redis-benchmark -t " + what + " has failed: " + lines);
            }
            return Double.parseDouble(cells[cells[1].isBlank() ? 2 : 1]);
        }
    }

    @Override
    public void close() throws IOException {
        try (redis;
                ours) {
            redis.port();
        }
        remove(folder);
    }

    /** Removes a folder with all that is in it. */
    static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(RedisContest::delete);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
