package io.slipstream.sim.network;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A socket that others connect to. */
final class SimulatedServer extends ServerSocketChannel implements Ready {
    private final SimulatedProvider provider;
    private final Deque<SimulatedSocket> waiting = new ArrayDeque<>();
    private @Nullable InetSocketAddress address;

    SimulatedServer(SimulatedProvider provider) {
        super(provider);
        this.provider = provider;
    }

    Node node() {
        return provider.node();
    }

    /** Puts the far end of a new connection among those that wait to be accepted. */
    void connected(SimulatedSocket client) {
        SimulatedSocket socket = new SimulatedSocket(provider);
        socket.pair(client, address == null ? 0 : address.getPort());
        waiting.add(socket);
        node().wake();
    }

    @Override
    public int readyOps() {
        return waiting.isEmpty() ? 0 : SelectionKey.OP_ACCEPT;
    }

    @Override
    public ServerSocketChannel bind(SocketAddress local, int backlog) throws IOException {
        InetSocketAddress wanted = (InetSocketAddress) local;
        address = new InetSocketAddress(wanted.getAddress(), provider.network().bind(this, wanted.getPort()));
        return this;
    }

    @Override
    public @Nullable SocketChannel accept() {
        return waiting.poll();
    }

    @Override
    @SuppressWarnings("NullAway")
    public SocketAddress getLocalAddress() {
        return address;
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) {
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) {
        throw new UnsupportedOperationException("simulated sockets take options, and give none");
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return Set.of();
    }

    @Override
    public ServerSocket socket() {
        throw new UnsupportedOperationException("a simulated channel has no socket");
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        provider.network().unbind(this);
        for (SimulatedSocket socket : waiting) {
            socket.close();
        }
        waiting.clear();
    }

    @Override
    protected void implConfigureBlocking(boolean block) {}
}
