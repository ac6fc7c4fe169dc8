package io.slipstream.broker;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.locks.LockSupport;

/** TCP over loopback. The receiving side listens, and writes its port to a file. */
final class TcpTransport implements Transport {
    private static final long LOOK_NANOS = 1_000_000;

    private final SocketChannel socket;
    private final ByteBuffer received = ByteBuffer.allocateDirect(1 << 16);

    private TcpTransport(SocketChannel socket) throws IOException {
        this.socket = socket;
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    static Transport receiver(Path folder, String name) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Path draft = folder.resolve(name + ".new");
            Files.writeString(draft, Integer.toString(((InetSocketAddress) server.getLocalAddress()).getPort()));
            Files.move(draft, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
            return new TcpTransport(server.accept());
        }
    }

    static Transport sender(Path folder, String name) throws IOException {
        while (!Files.exists(folder.resolve(name))) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        int port = Integer.parseInt(Files.readString(folder.resolve(name)));
        return new TcpTransport(SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
    }

    @Override
    public void send(ByteBuffer buffer) throws IOException {
        buffer.limit(MESSAGE_BYTES).position(0);
        while (buffer.hasRemaining()) {
            socket.write(buffer);
        }
        buffer.clear();
    }

    @Override
    public void receive(Consumer consumer) throws IOException {
        if (socket.read(received) < 0) {
            throw new IOException("the sender has gone");
        }
        int end = received.position() / MESSAGE_BYTES * MESSAGE_BYTES;
        for (int at = 0; at < end; at += MESSAGE_BYTES) {
            consumer.onMessage(received, at);
        }
        received.flip().position(end);
        received.compact();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
