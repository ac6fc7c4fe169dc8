package io.slipstream.benchmarks.ipc;

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
import org.jspecify.annotations.Nullable;

/** TCP over loopback, blocking, without Nagle's delay. The receiver listens, and says in a file where. */
final class TcpLink implements Link {
    private static final long LOOK_NANOS = 5_000_000;

    private final Path folder;

    TcpLink(Path folder) {
        this.folder = folder;
    }

    @Override
    public Sender sender(int stream, int messageBytes) throws IOException {
        Path port = folder.resolve("port-" + stream);
        while (!Files.exists(port)) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        SocketChannel socket = SocketChannel.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(Files.readString(port))));
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        ByteBuffer message = ByteBuffer.allocateDirect(messageBytes);
        return number -> {
            message.clear();
            message.putLong(0, number).putLong(messageBytes - Long.BYTES, number);
            while (message.hasRemaining()) {
                socket.write(message);
            }
            return true;
        };
    }

    @Override
    public Receiver receiver(int stream, int messageBytes) throws IOException {
        ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Path draft = folder.resolve("port-" + stream + ".new");
        Files.writeString(draft, Integer.toString(((InetSocketAddress) server.getLocalAddress()).getPort()));
        Files.move(draft, folder.resolve("port-" + stream), StandardCopyOption.ATOMIC_MOVE);
        ByteBuffer memory = ByteBuffer.allocateDirect(Math.max(messageBytes, 1 << 16));
        return new Receiver() {
            private @Nullable SocketChannel socket;
            private long sum;

            @Override
            public int poll() throws IOException {
                if (socket == null) {
                    socket = server.accept();
                    socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
                }
                if (socket.read(memory) < 0) {
                    throw new IOException("the sender has gone");
                }
                int count = memory.position() / messageBytes;
                for (int i = 0; i < count; i++) {
                    sum += memory.getLong(i * messageBytes) + memory.getLong((i + 1) * messageBytes - Long.BYTES);
                }
                memory.flip().position(count * messageBytes);
                memory.compact();
                return count;
            }

            @Override
            public long sum() {
                return sum;
            }
        };
    }

    @Override
    public void hold(int stream, int messageBytes) {
        throw new UnsupportedOperationException("nobody claims room in a socket");
    }

    @Override
    public void close() {
        // The sockets end with the process.
    }
}
