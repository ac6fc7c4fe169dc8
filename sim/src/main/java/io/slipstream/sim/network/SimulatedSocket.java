package io.slipstream.sim.network;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One end of a connection. */
final class SimulatedSocket extends SocketChannel implements Ready {
    private final SimulatedProvider provider;
    private final int id;
    private @Nullable SimulatedSocket peer;
    private @Nullable Stream incoming;
    private @Nullable Stream outgoing;
    private @Nullable SocketAddress pending;
    private boolean isReset;
    private boolean isOrphan;
    private boolean isAccepted;
    private boolean hasVanished;
    private int port;

    SimulatedSocket(SimulatedProvider provider) {
        super(provider);
        this.provider = provider;
        this.id = provider.network().nextId();
    }

    Node node() {
        return provider.node();
    }

    @Nullable
    SimulatedSocket peer() {
        return peer;
    }

    /** Connects this new socket with another one. */
    void pair(SimulatedSocket other, int listenerPort) {
        port = listenerPort;
        other.port = listenerPort;
        Stream here = new Stream(provider.network(), other, this);
        Stream there = new Stream(provider.network(), this, other);
        isAccepted = true;
        join(other, here, there);
        other.join(this, there, here);
    }

    private void join(SimulatedSocket other, Stream in, Stream out) {
        peer = other;
        incoming = in;
        outgoing = out;
        provider.network().opened(this);
    }

    /** The connection is lost: this end knows it from now on. */
    void reset() {
        if (!isReset) {
            isReset = true;
            provider.network().schedule().trace().note(node().name(), "socket reset", id);
            node().wake();
        }
    }

    /** Its process is no more: what is still written goes nowhere. */
    void orphan(boolean tellPeer) {
        isOrphan = true;
        Stream out = outgoing;
        if (out != null) {
            if (tellPeer) {
                out.end();
            } else {
                out.vanish();
            }
        }
        provider.network().closed(this);
    }

    /** Its machine is no more, and nothing that is sent there is ever answered; returns whether it had a connection. */
    boolean vanish() {
        hasVanished = true;
        orphan(false);
        Stream in = incoming;
        if (in != null) {
            in.vanish();
        }
        return in != null && !isReset;
    }

    /** Returns whether the other end has said something, and is gone for good. */
    boolean isDeaf() {
        SimulatedSocket other = peer;
        Stream in = incoming;
        return other != null && other.hasVanished && in != null && in.hasDelivered();
    }

    /** Returns where the end has listened that was connected to. */
    int port() {
        return port;
    }

    /** Returns whether this is the end of who has listened. */
    boolean isAccepted() {
        return isAccepted;
    }

    /** Returns whether nobody will ever read here any more. */
    boolean isGone() {
        return isOrphan || !isOpen();
    }

    /** Returns whether nobody is there who could say so, either. */
    boolean isSilent() {
        return isOrphan && provider.network().isOff(node().name());
    }

    @Override
    public int readyOps() {
        Stream in = incoming;
        Stream out = outgoing;
        if (isOrphan) {
            return 0;
        }
        if (in == null || out == null) {
            return pending != null && !isUnreachable(pending) ? SelectionKey.OP_CONNECT : 0;
        }
        return (isReset || in.isReadable() ? SelectionKey.OP_READ : 0)
                | (isReset || out.room() > 0 ? SelectionKey.OP_WRITE : 0);
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        Stream in = incoming;
        if (isOrphan) {
            return -1;
        }
        if (isReset || in == null) {
            throw new IOException("Connection reset");
        }
        return in.read(target);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        Stream out = outgoing;
        if (isOrphan) {
            int all = source.remaining();
            source.position(source.limit());
            return all;
        }
        if (isReset || out == null) {
            throw new IOException("Broken pipe");
        }
        return out.write(source, isBlocking());
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        throw new UnsupportedOperationException("simulated sockets read one buffer at a time");
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        throw new UnsupportedOperationException("simulated sockets write one buffer at a time");
    }

    /** Connects at once, or blocks the process for as long as a real call would have waited in vain. */
    private void connect(SocketAddress remote, int timeoutMillis) throws IOException {
        if (isUnreachable(remote)) {
            node().blockedFor(timeoutMillis * 1_000_000L);
            throw new SocketTimeoutException("Connect timed out");
        }
        reach(remote);
    }

    private boolean isUnreachable(SocketAddress remote) {
        int to = ((InetSocketAddress) remote).getPort();
        SimulatedNetwork network = provider.network();
        return network.isPartitioned(to, true) || network.isPartitioned(to, false) || network.isOff(to);
    }

    private void reach(SocketAddress remote) throws ConnectException {
        SimulatedServer server = provider.network().server(((InetSocketAddress) remote).getPort());
        if (server == null) {
            throw new ConnectException("Connection refused");
        }
        server.connected(this);
    }

    /** One that does not block is connected by {@link #finishConnect}, as soon as the other end can be reached. */
    @Override
    public boolean connect(SocketAddress remote) throws IOException {
        if (!isBlocking()) {
            pending = remote;
            node().wake();
            return false;
        }
        connect(remote, 1_000);
        return true;
    }

    @Override
    public boolean finishConnect() throws IOException {
        SocketAddress remote = pending;
        if (remote != null && !isOrphan && !isUnreachable(remote)) {
            pending = null;
            reach(remote);
        }
        return isConnected();
    }

    @Override
    public boolean isConnected() {
        return peer != null;
    }

    @Override
    public boolean isConnectionPending() {
        return pending != null;
    }

    @Override
    public Socket socket() {
        return new ConnectingSocket();
    }

    @Override
    public SocketChannel bind(@Nullable SocketAddress local) {
        return this;
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) {
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
    public SocketChannel shutdownInput() {
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() {
        Stream out = outgoing;
        if (out != null) {
            out.end();
        }
        return this;
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), id);
    }

    @Override
    public SocketAddress getLocalAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), id);
    }

    @Override
    protected void implCloseSelectableChannel() {
        Stream out = outgoing;
        if (out != null && !isOrphan) {
            provider.network().closed(this);
            out.end();
        }
    }

    @Override
    protected void implConfigureBlocking(boolean block) {}

    /** The older face of a channel, for its timed connect. */
    private final class ConnectingSocket extends Socket {
        @Override
        public void connect(SocketAddress remote, int timeoutMillis) throws IOException {
            SimulatedSocket.this.connect(remote, timeoutMillis);
        }
    }
}
