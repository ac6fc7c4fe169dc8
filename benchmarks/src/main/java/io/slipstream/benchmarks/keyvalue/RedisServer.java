package io.slipstream.benchmarks.keyvalue;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A {@code redis-server} with an append-only file. */
final class RedisServer implements AutoCloseable {
    private final Process process;
    private final int port;

    /** Starts one whose file is forced as {@code fsync} says, {@code always} or {@code everysec}. */
    RedisServer(Path folder, String fsync) throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        process = new ProcessBuilder("redis-server", "--port", Integer.toString(port), "--bind", "127.0.0.1",
                "--dir", folder.toString(), "--save", "", "--appendonly", "yes", "--appendfsync", fsync)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectErrorStream(true).start();
        while (!isListening()) {
            if (!process.isAlive()) {
                throw new IOException("redis-server has ended with " + process.exitValue());
            }
            Thread.onSpinWait();
        }
    }

    static boolean isInstalled() {
        try {
            for (String program : new String[]{"redis-server", "redis-benchmark"}) {
                new ProcessBuilder(program, "--version").redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
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

    private boolean isListening() {
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
