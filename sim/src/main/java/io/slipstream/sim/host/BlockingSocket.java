package io.slipstream.sim.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * The older face of a socket, whose thread waits for what it reads. It never waits for room to write: the network keeps
 * what is under way.
 */
final class BlockingSocket extends Socket {
    private static final int BUFFER_BYTES = 1 << 13;

    private final SimulatedHost host;
    private final SocketChannel channel;
    private final ByteBuffer arrived = ByteBuffer.allocate(BUFFER_BYTES).limit(0);
    private boolean hasEnded;
    private @Nullable IOException failure;
    private int timeoutMillis;

    BlockingSocket(SimulatedHost host) {
        this(host, open(host));
    }

    BlockingSocket(SimulatedHost host, SocketChannel channel) {
        this.host = host;
        this.channel = channel;
    }

    private static SocketChannel open(SimulatedHost host) {
        try {
            return host.network().openSocketChannel();
        } catch (IOException e) {
            throw new IllegalStateException("a simulated network always has sockets", e);
        }
    }

    static long nanos(int millis) {
        return millis == 0 ? SimulatedThread.FOREVER : millis * 1_000_000L;
    }

    @Override
    public void connect(SocketAddress remote, int millis) throws IOException {
        channel.socket().connect(remote, millis);
    }

    @Override
    public InputStream getInputStream() {
        return new Incoming();
    }

    @Override
    public OutputStream getOutputStream() {
        return new Outgoing();
    }

    @Override
    public void setTcpNoDelay(boolean on) {}

    @Override
    public void setSoTimeout(int millis) {
        timeoutMillis = millis;
    }

    @Override
    public void shutdownOutput() throws IOException {
        requireOpen();
        channel.shutdownOutput();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        try {
            return channel.getRemoteAddress();
        } catch (IOException e) {
            throw new IllegalStateException("a simulated socket always has an address", e);
        }
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        channel.close();
        host.wake();
    }

    private void requireOpen() throws SocketException {
        if (!channel.isOpen()) {
            throw new SocketException("Socket closed");
        }
    }

    /** Takes what has come; returns whether a read has something to say. */
    private boolean isReadable() {
        if (channel.isOpen() && !arrived.hasRemaining() && !hasEnded && failure == null) {
            arrived.clear();
            try {
                hasEnded = channel.read(arrived) < 0;
            } catch (IOException e) {
                failure = e;
            }
            arrived.flip();
        }
        return arrived.hasRemaining() || hasEnded || failure != null || !channel.isOpen();
    }

    private final class Incoming extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            SimulatedThread.await(host, BlockingSocket.this::isReadable, nanos(timeoutMillis));
            requireOpen();
            if (arrived.hasRemaining()) {
                int count = Math.min(length, arrived.remaining());
                arrived.get(target, offset, count);
                return count;
            }
            IOException reason = failure;
            if (reason != null) {
                throw new SocketException(String.valueOf(reason.getMessage()));
            }
            if (hasEnded) {
                return -1;
            }
            throw new SocketTimeoutException("Read timed out");
        }

        @Override
        public int available() {
            return isReadable() ? arrived.remaining() : 0;
        }
    }

    private final class Outgoing extends OutputStream {
        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            requireOpen();
            ByteBuffer source = ByteBuffer.wrap(bytes, offset, length);
            while (source.hasRemaining()) {
                channel.write(source);
            }
        }
    }
}
