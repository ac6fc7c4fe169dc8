package io.slipstream.benchmarks.service;

import io.slipstream.core.frame.Frame;
import io.slipstream.service.protocol.Hello;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Clients of the native protocol that do as little as can be: one thread, commands prepared before, of which only the
 * correlation is written, and answers that are counted and checked for their type and order.
 */
final class BareClients implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 20;

    private final Arena arena = Arena.ofShared();
    private final Selector selector = Selector.open();
    private final List<Client> clients = new ArrayList<>();
    private long answered;
    private long left;

    /** Connects {@code connections}, each with up to {@code inFlight} commands of {@code payloadBytes} under way. */
    BareClients(int port, int connections, int inFlight, int payloadBytes) throws IOException {
        this(port, connections, inFlight, new byte[payloadBytes]);
    }

    BareClients(int port, int connections, int inFlight, byte[] payload) throws IOException {
        for (int i = 0; i < connections; i++) {
            clients.add(new Client(port, i + 1, inFlight, payload));
        }
        for (Client client : clients) {
            client.channel.configureBlocking(false);
            client.channel.register(selector, SelectionKey.OP_READ, client);
        }
    }

    /** Sends {@code commands}, and returns how many were answered in a second. */
    double run(long commands) throws IOException {
        long begin = System.nanoTime();
        long until = answered + commands;
        left = commands;
        for (Client client : clients) {
            client.send();
        }
        while (answered < until) {
            selector.select(this::onReady, 10_000);
        }
        return commands / ((System.nanoTime() - begin) / 1e9);
    }

    private void onReady(SelectionKey key) {
        try {
            Client client = (Client) key.attachment();
            if (key.isReadable()) {
                client.receive();
            }
            client.send();
            int interest = SelectionKey.OP_READ | (client.bytes.hasRemaining() ? SelectionKey.OP_WRITE : 0);
            if (key.interestOps() != interest) {
                key.interestOps(interest);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        for (Client client : clients) {
            client.channel.close();
        }
        selector.close();
        arena.close();
    }

    private final class Client {
        private final SocketChannel channel;
        private final int inFlight;
        private final int frameBytes;
        private final MemorySegment prepared;
        private final ByteBuffer bytes;
        private final MemorySegment read = arena.allocate(BUFFER_BYTES, 16);
        private final ByteBuffer readBytes = read.asByteBuffer();
        private long sent;
        private long received;

        Client(int port, long key, int inFlight, byte[] payload) throws IOException {
            this.inFlight = inFlight;
            this.channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            this.frameBytes = Frame.align(Message.HEADER_BYTES + payload.length);
            this.prepared = arena.allocate((long) frameBytes * inFlight, 16);
            for (int i = 0; i < inFlight; i++) {
                Message.header(prepared, (long) i * frameBytes, MessageType.COMMAND, payload.length, 0, 0);
                MemorySegment.copy(
                        MemorySegment.ofArray(payload),
                        0,
                        prepared,
                        (long) i * frameBytes + Message.HEADER_BYTES,
                        payload.length);
            }
            this.bytes = prepared.asByteBuffer().limit(0);
            greet(System.nanoTime() * 31 + key);
        }

        private void greet(long key) throws IOException {
            MemorySegment hello = arena.allocate(Frame.align(Message.HEADER_BYTES + Hello.BYTES), 16);
            Hello.encode(hello, 0, key, 0, 0);
            channel.write(hello.asByteBuffer());
            while (readBytes.position() < Message.HEADER_BYTES
                    || readBytes.position() < Frame.align(Frame.length(read, 0))) {
                if (channel.read(readBytes) < 0) {
                    throw new IOException("the service has closed the connection");
                }
            }
            if (Message.type(read, 0) != MessageType.WELCOME) {
                throw new IOException("not welcome, but a message of type " + Message.type(read, 0));
            }
            readBytes.clear();
        }

        void send() throws IOException {
            if (!bytes.hasRemaining()) {
                int count = (int) Math.min(left, inFlight - (sent - received));
                for (int i = 0; i < count; i++) {
                    Message.correlation(prepared, (long) i * frameBytes, ++sent);
                }
                left -= count;
                bytes.limit(count * frameBytes).position(0);
            }
            if (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }

        void receive() throws IOException {
            if (channel.read(readBytes) < 0) {
                throw new IOException("the service has closed the connection");
            }
            int have = readBytes.position();
            int at = 0;
            while (have - at >= Message.HEADER_BYTES && have - at >= Frame.align(Frame.length(read, at))) {
                if (Message.type(read, at) != MessageType.REPLY || Message.correlation(read, at) != received + 1) {
                    throw new IOException("the answer to " + (received + 1) + " is of type " + Message.type(read, at)
                            + " to " + Message.correlation(read, at));
                }
                received++;
                answered++;
                at += Frame.align(Frame.length(read, at));
            }
            MemorySegment.copy(read, at, read, 0, have - at);
            readBytes.position(have - at);
        }
    }
}
