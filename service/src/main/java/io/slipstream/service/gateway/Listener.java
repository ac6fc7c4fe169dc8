package io.slipstream.service.gateway;

import io.slipstream.service.host.Host;
import io.slipstream.service.net.Link;
import io.slipstream.service.net.PlainLink;
import io.slipstream.service.net.TlsLink;
import io.slipstream.service.security.Tls;
import io.slipstream.service.spi.Protocol;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An address that clients connect to. For the thread of the gateway that accepts, but for {@link #pause}. */
final class Listener {
    /* A client whose machine is gone is noticed within half a minute, whatever it speaks; systems take two hours. */
    private static final int KEEP_IDLE_SECONDS = 15;
    private static final int KEEP_INTERVAL_SECONDS = 5;
    private static final int KEEP_COUNT = 3;

    private final Protocol protocol;
    private final boolean isShared;
    private final Consumer<SocketChannel> visitors;
    private final Consumer<String> report;
    private final ServerSocketChannel server;
    private final SelectionKey key;
    private final int port;

    /** What a new connection sends and receives by. */
    @FunctionalInterface
    interface Links {
        Link open(SocketChannel channel, Connection connection) throws IOException;
    }

    /**
     * Listens at {@code server}, which is bound.
     *
     * @param isShared whether clients only knock here, and speak through shared memory
     * @param visitors takes each client that has connected
     */
    Listener(
            ServerSocketChannel server,
            Protocol protocol,
            boolean isShared,
            Selector selector,
            BiConsumer<SocketChannel, Listener> visitors,
            Consumer<String> report)
            throws IOException {
        this.protocol = protocol;
        this.isShared = isShared;
        this.visitors = channel -> visitors.accept(channel, this);
        this.report = report;
        this.server = server;
        try {
            server.configureBlocking(false);
            this.port = server.getLocalAddress() instanceof InetSocketAddress address ? address.getPort() : 0;
            this.key = server.register(selector, SelectionKey.OP_ACCEPT, this);
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    static ServerSocketChannel bind(Host host, InetSocketAddress address, int backlog) throws IOException {
        ServerSocketChannel server = host.network().openServerSocketChannel();
        try {
            return server.setOption(StandardSocketOptions.SO_REUSEADDR, true).bind(address, backlog);
        } catch (IOException | RuntimeException e) {
            server.close();
            throw new IOException(
                    "cannot listen on " + address.getHostString() + ":" + address.getPort() + ": " + e.getMessage(), e);
        }
    }

    /** Returns what encrypts the connections of TCP, or leaves them as they are. */
    static Links overTcp(@Nullable Tls tls, Handshakes<Connection> handshakes) {
        return (channel, connection) -> {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            keepAlive(channel, "TCP_KEEPIDLE", KEEP_IDLE_SECONDS);
            keepAlive(channel, "TCP_KEEPINTERVAL", KEEP_INTERVAL_SECONDS);
            keepAlive(channel, "TCP_KEEPCOUNT", KEEP_COUNT);
            return tls == null
                    ? new PlainLink(channel)
                    : new TlsLink(channel, tls.engine(null, 0), handshakes.of(connection));
        };
    }

    /** Not each system has these options; by name they need no module that a small runtime may lack. */
    @SuppressWarnings("unchecked")
    private static void keepAlive(SocketChannel channel, String name, int value) throws IOException {
        for (SocketOption<?> option : channel.supportedOptions()) {
            if (option.name().equals(name) && option.type() == Integer.class) {
                channel.setOption((SocketOption<Integer>) option, value);
            }
        }
    }

    /** Returns the port, or 0 if this is none of TCP. */
    int port() {
        return port;
    }

    Protocol protocol() {
        return protocol;
    }

    /** Returns whether clients speak through shared memory. */
    boolean isShared() {
        return isShared;
    }

    void accept() {
        try {
            SocketChannel channel;
            while (key.interestOps() != 0 && (channel = server.accept()) != null) {
                visitors.accept(channel);
            }
        } catch (IOException e) {
            // Most likely too many open files: resume() tries again, the present clients go on.
            pause(e);
        }
    }

    /** Listens again after it was not possible to accept. */
    void resume() {
        if (server.isOpen()) {
            key.interestOps(SelectionKey.OP_ACCEPT);
        }
    }

    void close() throws IOException {
        server.close();
    }

    /** Accepts nobody until {@link #resume}; callable by any thread. */
    void pause(Throwable why) {
        key.interestOps(0);
        report.accept("no client can connect at present; tried again each second: " + why);
    }
}
