package io.slipstream.benchmarks.service;

import io.slipstream.core.frame.Frame;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Welcome;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The loop that one would write by hand for exactly one machine: read all sockets, check each frame, append all to a
 * file with one checksum, one positional write and one force a turn, add up, answer. No sessions, no resends, no
 * limits, no recovery, and a file that was written full of zeros before.
 */
final class HandLoop implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 20;
    private static final long FILE_BYTES = 1L << 27;

    private final Arena arena = Arena.ofShared();
    private final Selector selector = Selector.open();
    private final ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
    private final FileChannel file;
    private final MemorySegment batch = arena.allocate(4 * BUFFER_BYTES, 16);
    private final ByteBuffer batchBytes = batch.asByteBuffer();
    private final List<Connection> answering = new ArrayList<>();
    private final CRC32C checksum = new CRC32C();
    private final boolean forces;
    private final Thread thread = new Thread(this::run, "hand-loop");
    private int batched;
    private long position;
    private long count;
    private long sum;
    private long sealed;

    HandLoop(Path path, boolean forces) throws IOException {
        this.forces = forces;
        file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        ByteBuffer zeros = ByteBuffer.allocateDirect(BUFFER_BYTES);
        for (long at = 0; at < FILE_BYTES; at += BUFFER_BYTES) {
            file.write(zeros.clear(), at);
        }
        file.force(true);
        server.configureBlocking(false);
        server.register(selector, SelectionKey.OP_ACCEPT);
        thread.setDaemon(true);
        thread.start();
    }

    int port() throws IOException {
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    private void run() {
        try {
            while (selector.isOpen()) {
                selector.select(this::onReady);
                if (batched > 0) {
                    append();
                }
                for (Connection connection : answering) {
                    connection.answer();
                }
                answering.clear();
            }
        } catch (IOException | RuntimeException e) {
            if (selector.isOpen()) {
                e.printStackTrace();
            }
        }
    }

    private void append() throws IOException {
        checksum.reset();
        checksum.update(batchBytes.limit(batched).position(0));
        sealed += checksum.getValue();
        batchBytes.position(0);
        if (position + batched > FILE_BYTES) {
            position = 0;
        }
        while (batchBytes.hasRemaining()) {
            position += file.write(batchBytes, position);
        }
        batched = 0;
        if (forces) {
            file.force(false);
        }
    }

    private void onReady(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                SocketChannel channel = server.accept();
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channel.register(selector, SelectionKey.OP_READ, new Connection(channel));
            } else {
                Connection connection = (Connection) key.attachment();
                if (connection.read()) {
                    answering.add(connection);
                } else {
                    key.cancel();
                    connection.channel.close();
                }
            }
        } catch (IOException e) {
            key.cancel();
        }
    }

    @Override
    public void close() throws IOException {
        selector.close();
        server.close();
        file.close();
    }

    private final class Connection {
        private final SocketChannel channel;
        private final MemorySegment in = arena.allocate(BUFFER_BYTES / 4, 16);
        private final ByteBuffer inBytes = in.asByteBuffer();
        private final MemorySegment out = arena.allocate(BUFFER_BYTES, 16);
        private final ByteBuffer outBytes = out.asByteBuffer();
        private int filled;

        Connection(SocketChannel channel) {
            this.channel = channel;
        }

        boolean read() throws IOException {
            if (channel.read(inBytes) < 0) {
                return false;
            }
            int have = inBytes.position();
            int at = 0;
            while (have - at >= Message.HEADER_BYTES && have - at >= Frame.align(Frame.length(in, at))) {
                int length = Frame.length(in, at);
                take(at, length);
                at += Frame.align(length);
            }
            MemorySegment.copy(in, at, in, 0, have - at);
            inBytes.position(have - at);
            return true;
        }

        private void take(int at, int length) throws IOException {
            int payload = Long.BYTES;
            short type = MessageType.REPLY;
            if (Message.type(in, at) == MessageType.HELLO) {
                type = MessageType.WELCOME;
                payload = Welcome.BYTES;
            } else {
                if (batched + Frame.align(length) > batch.byteSize()) {
                    append();
                }
                MemorySegment.copy(in, at, batch, batched, length);
                batched += Frame.align(length);
                sum += in.get(ValueLayout.JAVA_LONG_UNALIGNED, at + Message.HEADER_BYTES);
            }
            Message.header(out, filled, type, payload, 1, Message.correlation(in, at));
            out.set(ValueLayout.JAVA_LONG_UNALIGNED, filled + Message.HEADER_BYTES, ++count);
            filled += Frame.align(Message.HEADER_BYTES + payload);
        }

        void answer() throws IOException {
            outBytes.limit(filled).position(0);
            while (outBytes.hasRemaining()) {
                channel.write(outBytes);
            }
            filled = 0;
        }
    }

    @Override
    public String toString() {
        return "sum " + sum + ", checksums " + sealed;
    }
}
