package io.slipstream.benchmarks.service;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.core.frame.Frame;
import io.slipstream.journal.config.Durability;
import io.slipstream.service.Service;
import io.slipstream.service.protocol.Message;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.HdrHistogram.Histogram;

/** One command in flight at the level PROCESS, beside a server that sends back what it reads. */
final class RoundTripContest implements Contest {
    private final Scratch scratch = new Scratch();
    private final int trips;
    private final double percentile;
    private final Service service;
    private final BareClients client;
    private final Selector selector = Selector.open();
    private final ServerSocketChannel echo = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
    private final SocketChannel toEcho;

    RoundTripContest(int trips, double percentile) throws IOException {
        this.trips = trips;
        this.percentile = percentile;
        service = Service.start(NativeContest.config(scratch, Durability.PROCESS), new Counting());
        client = new BareClients(service.port(), 1, 1, 64);
        echo.configureBlocking(false);
        echo.register(selector, SelectionKey.OP_ACCEPT);
        Thread thread = new Thread(this::echo, "echo");
        thread.setDaemon(true);
        thread.start();
        toEcho = SocketChannel.open(echo.getLocalAddress());
        toEcho.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    @Override
    public double ours() throws IOException {
        Histogram nanos = new Histogram(3);
        for (int i = 0; i < trips; i++) {
            long begin = System.nanoTime();
            client.run(1);
            nanos.recordValue(System.nanoTime() - begin);
        }
        return nanos.getValueAtPercentile(percentile) / 1e3;
    }

    /** As many bytes as a command has, over a selector as the client of the service uses one. */
    @Override
    public double peer() throws IOException {
        toEcho.configureBlocking(false);
        Histogram nanos = new Histogram(3);
        ByteBuffer bytes = ByteBuffer.allocateDirect(Frame.align(Message.HEADER_BYTES + 64));
        try (Selector own = Selector.open()) {
            SelectionKey key = toEcho.register(own, SelectionKey.OP_READ);
            for (int i = 0; i < trips; i++) {
                long begin = System.nanoTime();
                bytes.clear();
                while (bytes.hasRemaining()) {
                    toEcho.write(bytes);
                }
                bytes.clear();
                while (bytes.hasRemaining()) {
                    own.select(_ -> {});
                    toEcho.read(bytes);
                }
                nanos.recordValue(System.nanoTime() - begin);
            }
            key.cancel();
        }
        return nanos.getValueAtPercentile(percentile) / 1e3;
    }

    private void echo() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 16);
        try {
            while (selector.isOpen()) {
                selector.select(key -> {
                    try {
                        onReady(key, bytes);
                    } catch (IOException e) {
                        key.cancel();
                    }
                });
            }
        } catch (IOException | RuntimeException e) {
            // Closed.
        }
    }

    private void onReady(SelectionKey key, ByteBuffer bytes) throws IOException {
        if (key.isAcceptable()) {
            SocketChannel channel = echo.accept();
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.register(selector, SelectionKey.OP_READ);
            return;
        }
        SocketChannel channel = (SocketChannel) key.channel();
        bytes.clear();
        if (channel.read(bytes) < 0) {
            channel.close();
            return;
        }
        bytes.flip();
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        try (scratch;
                service;
                client;
                selector;
                echo;
                toEcho) {
            service.close();
        }
    }
}
