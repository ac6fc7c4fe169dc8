package io.slipstream.benchmarks.service;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.core.frame.Frame;
import io.slipstream.service.protocol.Hello;
import io.slipstream.service.protocol.Message;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** What a connection with its session holds in the service while nothing is under way, beside 8 KiB. */
final class IdleContest implements Contest {
    private static final double WANTED_BYTES = 8192;

    private final Scratch scratch = new Scratch();
    private final ServiceProcess service;
    private final int connections;
    private long key = System.nanoTime();

    IdleContest(int connections) throws IOException {
        this.connections = connections;
        service = new ServiceProcess(scratch.folder().resolve("service"), false);
    }

    @Override
    public double ours() throws IOException {
        long before = service.bytes();
        List<SocketChannel> open = new ArrayList<>();
        try {
            for (int i = 0; i < connections; i++) {
                open.add(connect());
            }
            return (double) (service.bytes() - before) / connections;
        } finally {
            for (SocketChannel each : open) {
                each.close();
            }
        }
    }

    private SocketChannel connect() throws IOException {
        SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", service.port()));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(4096, 16);
            Hello.encode(memory, 0, ++key, 0, 0);
            channel.write(memory.asByteBuffer().limit(Frame.align(Message.HEADER_BYTES + Hello.BYTES)));
            ByteBuffer welcome = memory.asByteBuffer().limit(Message.HEADER_BYTES);
            while (welcome.hasRemaining()) {
                if (channel.read(welcome) < 0) {
                    throw new IOException("the service has closed the connection");
                }
            }
        }
        return channel;
    }

    @Override
    public double peer() {
        return WANTED_BYTES;
    }

    @Override
    public void close() throws IOException {
        try (scratch) {
            service.close();
        }
    }
}
