package io.slipstream.service.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.ring.FrameRing;
import io.slipstream.service.host.Host;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is kept of requests that come in many pieces: how often their bytes are copied, and in how much memory. */
class LongRequestsTest {
    private static final int MAX_BYTES = 1 << 25;
    private static final int SHARED_BYTES = 1 << 17;

    private final FrameRing ring = new FrameRing(1 << 12);
    private final Connections connections = new Connections(
            Host.system(),
            new Bindings(),
            new Subscriptions(),
            new Farewells(Host.system(), ring),
            1 << 27,
            message -> {});
    private final ByteBuffer shared = ByteBuffer.allocateDirect(SHARED_BYTES);
    private final MemorySegment sharedMemory = MemorySegment.ofBuffer(shared);
    private ServerSocketChannel server;
    private Selector selector;
    private SocketChannel client;
    private Connection connection;

    @BeforeEach
    void connect() throws IOException {
        server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        selector = Selector.open();
        client = SocketChannel.open(server.getLocalAddress());
        client.configureBlocking(false);
        SocketChannel channel = server.accept();
        channel.configureBlocking(false);
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
        connection = new Connection(
                1, Host.system(), channel, key, NativeProtocol.INSTANCE, MAX_BYTES, 1 << 17, connections.buffers());
        connections.add(connection);
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        connections.close();
        selector.close();
        server.close();
        ring.close();
    }

    /** Reads what has come, and keeps all but {@code understood} bytes. */
    private void read(int understood) throws IOException {
        int had = connection.unparsed();
        int have = had + connection.read(shared, sharedMemory);
        if (connection.readsInPlace()) {
            connection.keepInPlace(connection.inputStart() + understood, have - understood);
        } else {
            assertThat(connection.keep(sharedMemory, understood, have - understood))
                    .isTrue();
        }
    }

    @Test
    void copiesEachByteOfALongRequestABoundedNumberOfTimes() throws IOException {
        byte[] request = new byte[20_000_000];
        new Random(7).nextBytes(request);
        ByteBuffer left = ByteBuffer.wrap(request);
        int pieces = 0;
        while (connection.unparsed() < request.length) {
            client.write(left.limit(Math.min(request.length, left.position() + 10_000)));
            read(0);
            pieces++;
        }
        assertThat(pieces).isGreaterThan(1_000);
        assertThat(connection.copiedBytes()).isLessThan(3L * request.length);
        byte[] kept = connection
                .inputMemory()
                .asSlice(connection.inputStart(), connection.unparsed())
                .toArray(ValueLayout.JAVA_BYTE);
        assertThat(kept).isEqualTo(request);
    }

    @Test
    void goesOnBehindWhatWasUnderstoodAndGivesBackWhatItNeedsNoMore() throws IOException {
        byte[] bytes = new byte[4_000_000];
        new Random(7).nextBytes(bytes);
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (connection.unparsed() < bytes.length) {
            client.write(left);
            read(0);
        }
        assertThat(connections.buffers().leasedBytes()).isGreaterThan(bytes.length);
        int understood = 0;
        while (connection.unparsed() > 1_000) {
            int some = Math.min(900_000, connection.unparsed() - 1_000);
            connection.keepInPlace(connection.inputStart() + some, connection.unparsed() - some);
            understood += some;
            assertThat(connection.inputMemory().get(ValueLayout.JAVA_BYTE, connection.inputStart()))
                    .isEqualTo(bytes[understood]);
        }
        assertThat(connections.buffers().leasedBytes()).isEqualTo(Buffers.SMALLEST);
        assertThat(connection.copiedBytes()).isLessThan(4L * bytes.length);
        client.write(ByteBuffer.wrap(bytes, 0, 500));
        while (connection.unparsed() < 1_500) {
            read(0);
        }
        MemorySegment kept = connection.inputMemory();
        assertThat(kept.get(ValueLayout.JAVA_BYTE, connection.inputStart())).isEqualTo(bytes[understood]);
        assertThat(kept.get(ValueLayout.JAVA_BYTE, connection.inputStart() + 1_000))
                .isEqualTo(bytes[0]);
        connection.keepInPlace(connection.inputStart() + 1_500, 0);
        assertThat(connections.buffers().leasedBytes()).isZero();
    }
}
