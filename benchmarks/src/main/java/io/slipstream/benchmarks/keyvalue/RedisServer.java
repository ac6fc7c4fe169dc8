package io.slipstream.benchmarks.keyvalue;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A {@code redis-server} with an append-only file. */
final class RedisServer implements AutoCloseable {
    private final Process process;
    private final int port;

    /** Starts one whose file is forced as {@code fsync} says, {@code always} or {@code everysec}. */
    RedisServer(Path folder, String fsync) throws IOException {
        this(folder, freePort(), List.of("--save", "", "--appendonly", "yes", "--appendfsync", fsync));
    }

    /** Starts one with these options. */
    RedisServer(Path folder, int port, List<String> options) throws IOException {
        this.port = port;
        List<String> command = new ArrayList<>(List.of(
                "redis-server", "--port", Integer.toString(port), "--bind", "127.0.0.1", "--dir", folder.toString()));
        command.addAll(options);
        process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectErrorStream(true)
                .start();
        awaitListening(port, process);
    }

    static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    static void awaitListening(int port, Process process) throws IOException {
        while (!isListening(port)) {
            if (!process.isAlive()) {
                throw new IOException("the server has ended with " + process.exitValue());
            }
            pause();
        }
    }

    /** Leaves the processors to the server that one waits for. */
    static void pause() {
        LockSupport.parkNanos(1_000_000);
    }

    static boolean isInstalled() {
        try {
            for (String program : new String[] {"redis-server", "redis-benchmark"}) {
                new ProcessBuilder(program, "--version")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor();
            }
            return true;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    int port() {
        return port;
    }

    Process process() {
        return process;
    }

    private static boolean isListening(int port) {
        try {
            new Socket("127.0.0.1", port).close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }
}
