package io.slipstream.benchmarks.keyvalue;

import io.slipstream.benchmarks.suite.Contest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How much memory the process of each takes with so many keys of 16 bytes and values of 64, once it has saved what it
 * saves by itself: bytes a key. Each round fills a new process.
 */
final class MemoryContest implements Contest {
    private final Path folder = Files.createTempDirectory(Path.of("").toAbsolutePath(), "keyvalue-");
    private final int keys;

    MemoryContest(int keys) throws IOException {
        this.keys = keys;
    }

    @Override
    public double ours() throws IOException {
        Path files = folder.resolve("ours");
        int port = RedisServer.freePort();
        Process ours = StoreProcess.command(files, port).inheritIO().start();
        try {
            RedisServer.awaitListening(port, ours);
            return bytesOfKey(port, ours);
        } finally {
            ours.destroyForcibly().onExit().join();
            RedisContest.remove(files);
        }
    }

    @Override
    public double peer() throws IOException {
        Path files = Files.createDirectory(folder.resolve("redis"));
        try (RedisServer redis = new RedisServer(files, "everysec")) {
            return bytesOfKey(redis.port(), redis.process());
        } finally {
            RedisContest.remove(files);
        }
    }

    private double bytesOfKey(int port, Process process) throws IOException {
        try (Filler filler = new Filler(port)) {
            filler.fill(keys);
            filler.check(keys);
        }
        return (double) StoreProcess.residentBytesAtRest(process) / keys;
    }

    @Override
    public void close() throws IOException {
        RedisContest.remove(folder);
    }
}
