package io.slipstream.benchmarks.keyvalue;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.journal.config.Durability;
import io.slipstream.keyvalue.KeyValueStore;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.service.Service;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How long SET takes at half of the rate that Redis reaches at most, one command at a time on each of 50 connections,
 * while ours takes a snapshot and Redis rewrites its file: microseconds from when a command was due.
 */
final class SteadyContest implements Contest {
    private static final int PEAK_REQUESTS = 100_000;

    private final Path folder = Files.createTempDirectory(Path.of("").toAbsolutePath(), "keyvalue-");
    private final RespProtocol protocol = new RespProtocol();
    private final Service ours;
    private final RedisServer redis;
    private final double share;
    private final double rate;
    private final double seconds;

    /** {@code share} of the commands are at most as slow as the figure; 1 for the slowest. */
    SteadyContest(double share, int keys, double seconds) throws IOException {
        this.share = share;
        this.seconds = seconds;
        ours = Service.start(
                StoreProcess.config(folder.resolve("ours"), Durability.SYNC)
                        .withProtocol(protocol, new InetSocketAddress("127.0.0.1", 0)),
                KeyValueStore::new);
        redis = new RedisServer(Files.createDirectory(folder.resolve("redis")), "always");
        for (int port : new int[] {ours.port(protocol), redis.port()}) {
            try (Filler filler = new Filler(port)) {
                filler.fill(keys);
            }
        }
        RedisContest.benchmark(ours.port(protocol), "set", 1, PEAK_REQUESTS);
        rate = RedisContest.benchmark(redis.port(), "set", 1, PEAK_REQUESTS) / 2;
    }

    @Override
    public double ours() throws Exception {
        var snapshot = ours.snapshot();
        double micros = new SteadyLoad(ours.port(protocol), rate, seconds).micros(share);
        snapshot.get();
        return micros;
    }

    @Override
    public double peer() throws IOException {
        try (Filler filler = new Filler(redis.port())) {
            String answer = filler.ask("BGREWRITEAOF");
            while (answer.contains("already in progress")) {
                RedisServer.pause();
                answer = filler.ask("BGREWRITEAOF");
            }
            if (!answer.startsWith("+Background")) {
                throw new IOException("BGREWRITEAOF was answered with " + answer);
            }
            return new SteadyLoad(redis.port(), rate, seconds).micros(share);
        }
    }

    @Override
    public void close() throws IOException {
        try (redis;
                ours) {
            redis.port();
        }
        RedisContest.remove(folder);
    }
}
