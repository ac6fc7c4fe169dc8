package io.slipstream.service.gateway;

import io.slipstream.service.protocol.FailureCode;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** The address that clients connect to. */
final class Listener {
    private final GatewayLimits limits;
    private final Connections connections;
    private final Selector selector;
    private final ServerSocketChannel server;
    private final SelectionKey key;
    private long nextConnection = 1;

    /** Binds the address; an {@link IOException} names it. */
    Listener(InetSocketAddress address, GatewayLimits limits, Selector selector, Connections connections)
            throws IOException {
        this.limits = limits;
        this.connections = connections;
        this.selector = selector;
        this.server = ServerSocketChannel.open();
        try {
            server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            server.bind(address, limits.backlog());
            server.configureBlocking(false);
            this.key = server.register(selector, SelectionKey.OP_ACCEPT);
        } catch (IOException | RuntimeException e) {
            server.close();
            throw new IOException("cannot listen on " + address.getHostString() + ":" + address.getPort() + ": "
                    + e.getMessage(), e);
        }
    }

    int port() {
        return server.socket().getLocalPort();
    }

    SelectionKey key() {
        return key;
    }

    void accept() {
        try {
            SocketChannel channel;
            while ((channel = server.accept()) != null) {
                welcome(channel);
            }
            key.interestOps(SelectionKey.OP_ACCEPT);
        } catch (IOException e) {
            // Most likely too many open files: resume() tries again, the present clients go on.
            key.interestOps(0);
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

    /** A client that has gone already, or that there is no memory for, is let go: the others go on. */
    private void welcome(SocketChannel channel) throws IOException {
        Connection connection;
        try {
            connection = connect(channel);
        } catch (IOException | OutOfMemoryError e) {
            channel.close();
            return;
        }
        connections.add(connection);
        if (connections.count() > limits.maxConnections()) {
            connections.error(connection, FailureCode.TOO_MANY_CONNECTIONS,
                    "the service takes no more than " + limits.maxConnections() + " connections");
        }
    }

    private Connection connect(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        SelectionKey channelKey = channel.register(selector, SelectionKey.OP_READ);
        Connection connection = new Connection(nextConnection++, System.nanoTime(), channel, channelKey,
                limits.inputBytes(), limits.maxOutputBytes(), connections.outputMemory());
        channelKey.attach(connection);
        return connection;
    }
}
