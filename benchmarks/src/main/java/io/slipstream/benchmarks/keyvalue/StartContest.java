package io.slipstream.benchmarks.keyvalue;

import io.slipstream.benchmarks.suite.Contest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How long each takes from its start as a process until it answers with all of its keys: seconds. */
final class StartContest implements Contest {
    /** What Redis starts from. */
    enum Form {
        /** The file with all commands. */
        AOF(List.of("--appendonly", "yes", "--save", "", "--auto-aof-rewrite-percentage", "0")),
        /** An image. */
        RDB(List.of("--appendonly", "no", "--save", ""));

        private final List<String> options;

        Form(List<String> options) {
            this.options = options;
        }
    }

    private final Path folder = Files.createTempDirectory(Path.of("").toAbsolutePath(), "keyvalue-");
    private final Path redisFolder = Files.createDirectory(folder.resolve("redis"));
    private final int keys;
    private final Form form;
    private final int port = RedisServer.freePort();

    StartContest(int keys, Form form) throws IOException {
        this.keys = keys;
        this.form = form;
        Process ours =
                StoreProcess.command(folder.resolve("ours"), port).inheritIO().start();
        try {
            RedisServer.awaitListening(port, ours);
            try (Filler filler = new Filler(port)) {
                filler.fill(keys);
            }
        } finally {
            end(ours);
        }
        try (RedisServer redis = new RedisServer(redisFolder, port, form.options);
                Filler filler = new Filler(port)) {
            filler.fill(keys);
            if (form == Form.RDB && !filler.ask("SAVE").equals("+OK")) {
                throw new IOException("redis-server could not save");
            }
            redis.port();
        }
    }

    @Override
    public double ours() throws IOException {
        long start = System.nanoTime();
        Process ours =
                StoreProcess.command(folder.resolve("ours"), port).inheritIO().start();
        try {
            return awaitKeys(ours, start);
        } finally {
            end(ours);
        }
    }

    @Override
    public double peer() throws IOException {
        long start = System.nanoTime();
        try (RedisServer redis = new RedisServer(redisFolder, port, form.options)) {
            return awaitKeys(redis.process(), start);
        }
    }

    private double awaitKeys(Process process, long startNanos) throws IOException {
        while (!Filler.holds(port, keys)) {
            if (!process.isAlive()) {
                throw new IOException("the server has ended with " + process.exitValue());
            }
            RedisServer.pause();
        }
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        try (Filler filler = new Filler(port)) {
            filler.check(keys);
        }
        return seconds;
    }

    private static void end(Process process) {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() throws IOException {
        RedisContest.remove(folder);
    }
}
