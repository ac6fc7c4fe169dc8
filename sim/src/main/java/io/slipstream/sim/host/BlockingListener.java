package io.slipstream.sim.host;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** The older face of a listener, whose thread waits for who comes. */
final class BlockingListener extends ServerSocket {
    private final SimulatedHost host;
    private final ServerSocketChannel channel;
    private @Nullable SocketChannel accepted;
    private int timeoutMillis;

    BlockingListener(SimulatedHost host) throws IOException {
        this.host = host;
        this.channel = host.network().openServerSocketChannel();
    }

    @Override
    public void bind(SocketAddress address, int backlog) throws IOException {
        channel.bind(address, backlog);
    }

    @Override
    public Socket accept() throws IOException {
        SimulatedThread.await(host, this::hasAccepted, BlockingSocket.nanos(timeoutMillis));
        SocketChannel next = accepted;
        accepted = null;
        if (!channel.isOpen()) {
            throw new SocketException("Socket closed");
        }
        if (next == null) {
            throw new SocketTimeoutException("Accept timed out");
        }
        return new BlockingSocket(host, next);
    }

    private boolean hasAccepted() {
        if (accepted == null && channel.isOpen()) {
            try {
                accepted = channel.accept();
            } catch (IOException e) {
                throw new IllegalStateException("a simulated listener never fails", e);
            }
        }
        return accepted != null || !channel.isOpen();
    }

    @Override
    public void setSoTimeout(int millis) {
        timeoutMillis = millis;
    }

    @Override
    public int getLocalPort() {
        try {
            return ((InetSocketAddress) channel.getLocalAddress()).getPort();
        } catch (IOException e) {
            throw new IllegalStateException("a simulated listener never fails", e);
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
}
