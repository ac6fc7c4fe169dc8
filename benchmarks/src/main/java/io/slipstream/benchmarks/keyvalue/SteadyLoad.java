package io.slipstream.benchmarks.keyvalue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * SET at a steady rate, on 50 connections with one command at a time each, by one thread. A command that finds no free
 * connection waits, and its waiting counts: the time is from when it was due.
 */
final class SteadyLoad {
    private static final int CONNECTIONS = 50;
    private static final int KEYS = 1_000_000;
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    private final long[] nanos;

    /** Sends for so many seconds, and waits for all answers. */
    SteadyLoad(int port, double rate, double seconds) throws IOException {
        nanos = new long[(int) (rate * seconds)];
        List<Connection> all = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                all.add(new Connection(port));
            }
            run(all, 1e9 / rate);
        } finally {
            for (Connection each : all) {
                each.channel.close();
            }
        }
        Arrays.sort(nanos);
    }

    private void run(List<Connection> all, double intervalNanos) throws IOException {
        Deque<Connection> free = new ArrayDeque<>(all);
        SplittableRandom random = new SplittableRandom(1);
        long start = System.nanoTime();
        int sent = 0;
        int answered = 0;
        while (answered < nanos.length) {
            long now = System.nanoTime();
            if (now - start > (long) (nanos.length * intervalNanos) + PATIENCE_NANOS) {
                throw new IOException("only " + answered + " of " + nanos.length + " commands were answered");
            }
            while (sent < nanos.length && !free.isEmpty() && now - start >= (long) (sent * intervalNanos)) {
                free.poll().send(sent++, random.nextInt(KEYS));
            }
            for (Connection each : all) {
                if (each.command >= 0 && each.isAnswered()) {
                    nanos[answered++] = System.nanoTime() - start - (long) (each.command * intervalNanos);
                    each.command = -1;
                    free.add(each);
                }
            }
        }
    }

    /** Returns the time that a share of the commands took at most. */
    double micros(double share) {
        return nanos[(int) Math.min(nanos.length - 1, Math.ceil(share * nanos.length))] / 1e3;
    }

    private static final class Connection {
        private static final byte[] COMMAND = ("*3\r\n$3\r\nSET\r\n$16\r\nkey:000000000000\r\n$64\r\n" + "w".repeat(64)
                        + "\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
        private static final int LAST_DIGIT = 4 + 9 + 5 + 15;

        private final SocketChannel channel;
        private final ByteBuffer out = ByteBuffer.allocateDirect(COMMAND.length).put(COMMAND);
        private final ByteBuffer in = ByteBuffer.allocateDirect(64);
        private int command = -1;

        Connection(int port) throws IOException {
            channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
        }

        void send(int number, int key) throws IOException {
            int rest = key;
            for (int at = LAST_DIGIT; at > LAST_DIGIT - 12; at--) {
                out.put(at, (byte) ('0' + rest % 10));
                rest /= 10;
            }
            out.clear();
            while (out.hasRemaining()) {
                channel.write(out);
            }
            command = number;
        }

        boolean isAnswered() throws IOException {
            int read = channel.read(in);
            if (read < 0) {
                throw new IOException("the server has closed the connection");
            }
            if (in.position() < 5) {
                return false;
            }
            if (in.get(0) != '+' || in.position() > 5) {
                throw new IOException("SET was not answered with OK");
            }
            in.clear();
            return true;
        }
    }
}
