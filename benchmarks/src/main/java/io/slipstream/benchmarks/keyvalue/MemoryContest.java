package io.slipstream.benchmarks.keyvalue;

import io.slipstream.benchmarks.suite.Contest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How much memory the process of each takes with so many keys of 16 bytes and values of 64: bytes a key. */
final class MemoryContest implements Contest {
    private final Path folder = Files.createTempDirectory(Path.of("").toAbsolutePath(), "keyvalue-");
    private final int keys;
    private final int port = RedisServer.freePort();
    private final Process ours;
    private final RedisServer redis;

    MemoryContest(int keys) throws IOException {
        this.keys = keys;
        ours = StoreProcess.command(folder.resolve("ours"), port).inheritIO().start();
        redis = new RedisServer(Files.createDirectory(folder.resolve("redis")), "everysec");
        RedisServer.awaitListening(port, ours);
        for (int each : new int[] {port, redis.port()}) {
            try (Filler filler = new Filler(each)) {
                filler.fill(keys);
            }
        }
    }

    @Override
    public double ours() throws IOException {
        return (double) StoreProcess.residentBytes(ours) / keys;
    }

    @Override
    public double peer() throws IOException {
        return (double) StoreProcess.residentBytes(redis.process()) / keys;
    }

    @Override
    public void close() throws IOException {
        ours.destroyForcibly().onExit().join();
        redis.close();
        RedisContest.remove(folder);
    }
}
