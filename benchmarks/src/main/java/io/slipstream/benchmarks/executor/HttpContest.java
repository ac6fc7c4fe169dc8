package io.slipstream.benchmarks.executor;

import com.sun.net.httpserver.HttpServer;
import io.slipstream.benchmarks.suite.Contest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import org.HdrHistogram.Histogram;

/**
 * The HTTP server of the JDK with one executor or the other, under 64 connections that each send the next request when
 * the answer to the last has come. One thread drives them all. Prints the response times of each round.
 */
final class HttpContest implements Contest {
    private static final int CONNECTIONS = 64;
    private static final byte[] BODY =
            "the quick brown fox jumps over the lazy dog".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] REQUEST =
            "GET /fox HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final String LAST_WORD = "lazy dog";

    private final int requests;
    private final Side ours;
    private final Side peer;

    /** A server with its executor. */
    private record Side(String name, HttpServer server, ExecutorService executor) {
        static Side start(String name, ExecutorService executor) throws IOException {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
            server.createContext("/fox", exchange -> {
                exchange.sendResponseHeaders(200, BODY.length);
                exchange.getResponseBody().write(BODY);
                exchange.close();
            });
            server.setExecutor(executor);
            server.start();
            return new Side(name, server, executor);
        }

        void stop() {
            server.stop(0);
            executor.close();
        }
    }

    /** One connection: what it has read of its present answer, and when it sent the request. */
    private static final class Connection {
        final ByteBuffer in = ByteBuffer.allocate(4_096);
        long sentNanos;
    }

    HttpContest(ExecutorService ours, ExecutorService peer, int requests) throws IOException {
        this.requests = requests;
        this.ours = Side.start("ours", ours);
        this.peer = Side.start("peer", peer);
    }

    @Override
    public double ours() throws IOException {
        return run(ours);
    }

    @Override
    public double peer() throws IOException {
        return run(peer);
    }

    /** Returns thousands of requests a second. */
    private double run(Side side) throws IOException {
        Histogram times = new Histogram(3);
        long nanos;
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < CONNECTIONS; i++) {
                SocketChannel channel = SocketChannel.open(side.server.getAddress());
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ, new Connection());
            }
            long begin = System.nanoTime();
            for (SelectionKey key : selector.keys()) {
                send(key);
            }
            int answered = 0;
            while (answered < requests) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    if (isAnswered(key)) {
                        times.recordValue((System.nanoTime() - ((Connection) key.attachment()).sentNanos) / 1_000);
                        answered++;
                        send(key);
                    }
                }
                selector.selectedKeys().clear();
            }
            nanos = System.nanoTime() - begin;
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        }
        System.out.printf(
                Locale.ROOT,
                "http, %s: %6.1f k/s, response time in us: 50 %% %d, 90 %% %d, 99 %% %d, 99.9 %% %d, max %d%n",
                side.name,
                requests * 1e6 / nanos,
                times.getValueAtPercentile(50),
                times.getValueAtPercentile(90),
                times.getValueAtPercentile(99),
                times.getValueAtPercentile(99.9),
                times.getMaxValue());
        return requests * 1e6 / nanos;
    }

    private static void send(SelectionKey key) throws IOException {
        Connection connection = (Connection) key.attachment();
        connection.in.clear();
        connection.sentNanos = System.nanoTime();
        ByteBuffer out = ByteBuffer.wrap(REQUEST);
        while (out.hasRemaining()) {
            ((SocketChannel) key.channel()).write(out);
        }
    }

    private static boolean isAnswered(SelectionKey key) throws IOException {
        ByteBuffer in = ((Connection) key.attachment()).in;
        if (((SocketChannel) key.channel()).read(in) < 0) {
            throw new IOException("the server has closed a connection");
        }
        String text = new String(in.array(), 0, in.position(), StandardCharsets.US_ASCII);
        if (!text.endsWith(LAST_WORD)) {
            return false;
        }
        if (!text.startsWith("HTTP/1.1 200 OK")) {
            throw new IOException("the server answered: " + text);
        }
        return true;
    }

    @Override
    public void close() {
        ours.stop();
        peer.stop();
    }
}
