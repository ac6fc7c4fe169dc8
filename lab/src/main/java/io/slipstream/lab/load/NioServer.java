package io.slipstream.lab.load;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * One thread that accepts, reads and answers, with a selector. A message is {@value #MESSAGE_BYTES} bytes: a header of
 * ten (its number) and the payload; the reply is two bytes. Start it, use {@link #address}, close it.
 */
public final class NioServer implements AutoCloseable {
    public static final int HEADER_BYTES = 10;
    public static final int PAYLOAD_BYTES = 10_000;
    public static final int MESSAGE_BYTES = HEADER_BYTES + PAYLOAD_BYTES;
    static final byte[] REPLY = {'O', 'K'};
    private static final int BACKLOG = 200;

    private final Selector selector;
    private final ServerSocketChannel acceptor;
    private final Thread thread;
    private final ByteBuffer received = ByteBuffer.allocateDirect(64 * 1024);
    private final ByteBuffer reply = ByteBuffer.allocateDirect(REPLY.length);
    private long served;
    private volatile boolean running = true;

    /**
     * Starts on a free port of the loopback interface.
     *
     * @param receiveBufferBytes SO_RCVBUF of the accepted connections, or 0 to leave it to the system
     * @throws io.slipstream.lab.Unavailable when nobody can connect over the loopback interface
     */
    public NioServer(int receiveBufferBytes) throws IOException {
        Loopback.require();
        selector = Selector.open();
        acceptor = ServerSocketChannel.open();
        if (receiveBufferBytes > 0) {
            // On the acceptor: the window is agreed upon while a connection is opened.
            acceptor.setOption(StandardSocketOptions.SO_RCVBUF, receiveBufferBytes);
        }
        acceptor.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        acceptor.configureBlocking(false);
        acceptor.register(selector, SelectionKey.OP_ACCEPT);
        thread = new Thread(this::serve, "nio-server");
        thread.setDaemon(true);
        thread.start();
    }

    public InetSocketAddress address() throws IOException {
        return (InetSocketAddress) acceptor.getLocalAddress();
    }

    private void serve() {
        while (running) {
            try {
                selector.select(this::handle);
            } catch (IOException e) {
                // The clients see it, and count it.
            }
        }
    }

    private void handle(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                accept();
            } else if (key.isReadable()) {
                read(key);
            }
        } catch (IOException e) {
            // The client sees it, and counts it.
            close((Closeable) key.channel());
        }
    }

    private void accept() throws IOException {
        SocketChannel connection = acceptor.accept();
        if (connection != null) {
            connection.configureBlocking(false);
            connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
            connection.register(selector, SelectionKey.OP_READ, new Pending());
        }
    }

    private void read(SelectionKey key) throws IOException {
        SocketChannel connection = (SocketChannel) key.channel();
        Pending pending = (Pending) key.attachment();
        received.clear();
        int count = connection.read(received);
        if (count < 0) {
            close(connection);
            return;
        }
        pending.bytes += count;
        while (pending.bytes >= MESSAGE_BYTES) {
            pending.bytes -= MESSAGE_BYTES;
            served++;
            reply.clear().put(REPLY).flip();
            while (reply.hasRemaining()) {
                connection.write(reply);
            }
        }
    }

    /** How many messages were answered; read after {@link #close}. */
    public long served() {
        return served;
    }

    @Override
    public void close() {
        running = false;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        selector.keys().forEach(key -> close((Closeable) key.channel()));
        close(selector);
    }

    private static void close(Closeable open) {
        try {
            open.close();
        } catch (IOException e) {
            // It is gone, which is all that was wanted.
        }
    }

    private static final class Pending {
        int bytes;
    }
}
