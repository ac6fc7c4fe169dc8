package io.slipstream.service.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.thread.Signal;
import io.slipstream.service.host.Host;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.FailureNotice;
import io.slipstream.service.protocol.Hello;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.spi.Conversation;
import io.slipstream.service.spi.Requests;
import io.slipstream.service.spi.Responses;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of outputs that a client does not read, over sockets of this machine. */
class ConnectionsTest {
    private static final int MAX_UNREAD = 1 << 17;
    private static final int MAX_ALL_UNREAD = 2 * MAX_UNREAD;
    private static final int FRAME = 20_000;

    private final List<SocketChannel> clients = new ArrayList<>();
    private final List<String> reports = new ArrayList<>();
    private ServerSocketChannel server;
    private Selector selector;
    private final FrameRing input = new FrameRing(1 << 12);
    private final Connections connections = new Connections(
            Host.system(),
            new Bindings(),
            new Subscriptions(),
            new Farewells(Host.system(), input),
            MAX_ALL_UNREAD,
            reports::add);

    @BeforeEach
    void listen() throws IOException {
        server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        selector = Selector.open();
    }

    @AfterEach
    void closeAll() throws IOException {
        for (SocketChannel client : clients) {
            client.close();
        }
        connections.close();
        selector.close();
        server.close();
        input.close();
    }

    /** More than a client may leave unread comes at once; its socket takes that, since it reads. */
    @Test
    void countsAsUnreadOnlyWhatTheSocketDoesNotTake() throws IOException {
        Connection connection = connect();
        SocketChannel client = clients.getFirst();
        client.configureBlocking(false);
        ByteBuffer read = ByteBuffer.allocate(1 << 20);
        long written = 0;
        long received = 0;
        for (int i = 0; i < 400; i++) {
            long at = connection.claim(FRAME);
            assertThat(at).as("frame %d", i).isNotNegative();
            connection.memory().asSlice(at, FRAME).fill((byte) i);
            written += FRAME;
            received += receive(client, read);
        }
        while (received < written) {
            connection.flush();
            received += receive(client, read);
        }
        assertThat(connection.hasOutput()).isFalse();
    }

    @Test
    void keepsTheOrderOfTheBytesThroughBuffersOfAnySize() throws IOException {
        Connection connection = connect();
        SocketChannel client = clients.getFirst();
        int frames = fill(connection);
        client.configureBlocking(false);
        ByteBuffer read = ByteBuffer.allocate(frames * FRAME);
        while (read.hasRemaining()) {
            client.read(read);
            connection.flush();
        }
        for (int i = 0; i < frames; i++) {
            assertThat(read.get(i * FRAME)).as("first byte of frame %d", i).isEqualTo((byte) i);
            assertThat(read.get(i * FRAME + FRAME - 1))
                    .as("last byte of frame %d", i)
                    .isEqualTo((byte) i);
        }
    }

    @Test
    void letsGoWhoeverHasLeftTheMostUnreadWhenAllHaveLeftTooMuch() throws IOException {
        Connection least = connect();
        Connection first = connect();
        Connection second = connect();
        fill(first);
        assertThat(first.isOpen()).isTrue();
        assertThat(first.hasOutput()).isTrue();
        fill(second);
        assertThat(first.isOpen()).as("the one that has left the most").isFalse();
        assertThat(second.isOpen()).isTrue();
        assertThat(least.isOpen()).isTrue();
        assertThat(connections.count()).as("while somebody may go through them").isEqualTo(3);
        connections.flushDirty();
        assertThat(connections.count()).isEqualTo(2);
        fill(least);
        assertThat(second.isOpen()).isFalse();
        assertThat(least.hasOutput()).isTrue();
    }

    /** One that has sent half of a long request has read all, and can be told. */
    @Test
    void tellsWhoeverHoldsTheMostWhyItIsLetGo() throws IOException {
        Connection half = connect();
        SocketChannel client = clients.getFirst();
        byte[] request = new byte[MAX_UNREAD / 2 + 1];
        assertThat(half.keep(MemorySegment.ofArray(request), 0, request.length)).isTrue();
        Connection other = connect();
        fill(other);
        assertThat(half.isOpen()).isFalse();
        assertThat(other.isOpen()).isTrue();
        ByteBuffer read = ByteBuffer.allocate(1 << 12);
        int bytes;
        do {
            bytes = client.read(read);
        } while (bytes > 0);
        MemorySegment words = MemorySegment.ofBuffer(read.flip());
        assertThat(Message.type(words, 0)).isEqualTo(MessageType.ERROR);
        assertThat(FailureNotice.code(words, 0)).isEqualTo(FailureCode.SLOW_CONSUMER);
        assertThat(FailureNotice.text(words, 0)).contains("this one holds " + MAX_UNREAD + " bytes");
        assertThat(reports)
                .singleElement()
                .asString()
                .contains("is disconnected")
                .contains("used up");
        connections.close(other);
        assertThat(connections.buffers().leasedBytes()).isZero();
    }

    @Test
    void doesNotAnswerInTheTurnOfAnotherRequest() throws IOException {
        Connection half = connect(new InOrder());
        half.pending = 1;
        byte[] request = new byte[MAX_UNREAD / 2 + 1];
        assertThat(half.keep(MemorySegment.ofArray(request), 0, request.length)).isTrue();
        fill(connect());
        assertThat(half.isOpen()).isFalse();
        assertThat(clients.getFirst().read(ByteBuffer.allocate(1))).isNegative();
    }

    /** A client that keeps the rules of revision 1 and is silent has lost its machine, or the network to it. */
    @Test
    void letsGoWhoeverHasPromisedSignsOfLifeAndGivesNone() throws IOException {
        Connection silent = connect();
        silent.revision = 1;
        Connection older = connect();
        long now = Host.system().nanoTime();
        connections.sweep(now + Hello.SILENCE_NANOS / 2, false);
        assertThat(silent.isOpen()).isTrue();
        silent.heard(now + Hello.SILENCE_NANOS / 2);
        connections.sweep(now + Hello.SILENCE_NANOS + 1_000_000_000, false);
        assertThat(silent.isOpen()).as("heard meanwhile").isTrue();
        connections.sweep(now + 2 * Hello.SILENCE_NANOS, false);
        assertThat(silent.isOpen()).isFalse();
        assertThat(older.isOpen()).as("one that has promised nothing").isTrue();
    }

    /** It is not the client's fault that nothing is read from it. */
    @Test
    void letsNobodyGoForASilenceInWhichItDidNotListen() throws IOException {
        Connection waiting = connect();
        waiting.revision = 1;
        waiting.held = true;
        long now = Host.system().nanoTime();
        connections.sweep(now + 2 * Hello.SILENCE_NANOS, false);
        assertThat(waiting.isOpen()).isTrue();
        waiting.held = false;
        connections.sweep(now + 3 * Hello.SILENCE_NANOS + 1_000_000_000, false);
        assertThat(waiting.isOpen()).isFalse();
    }

    /** Systems ask after two hours whether the other side is there. */
    @Test
    void letsTheSystemAskSoonWhetherTheMachineOfAClientIsThere() throws IOException {
        Connection connection = connect();
        try (SocketChannel channel = SocketChannel.open(server.getLocalAddress());
                SocketChannel accepted = server.accept()) {
            Listener.overTcp(null, new Handshakes<>(Runnable::run, new Signal()))
                    .open(accepted, connection);
            assertThat(channel.isConnected()).isTrue();
            for (SocketOption<?> option : accepted.supportedOptions()) {
                if (option.name().equals("TCP_KEEPIDLE")) {
                    assertThat(accepted.getOption(option)).isEqualTo(15);
                }
            }
            assertThat(accepted.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
        }
    }

    @Test
    void givesBackTheMemoryThatIsNeededNoLonger() throws IOException {
        Connection idle = connect();
        fill(idle);
        ByteBuffer read = ByteBuffer.allocate(1 << 20);
        clients.getFirst().configureBlocking(false);
        while (idle.hasOutput()) {
            receive(clients.getFirst(), read);
            idle.flush();
        }
        idle.releaseIdle();
        assertThat(connections.buffers().leasedBytes()).isZero();
        fill(connect());
        assertThat(idle.isOpen()).isTrue();
    }

    /**
     * What was written once stays where it is until as much was written: a small step must not move a large backlog.
     */
    @Test
    void movesNothingWhenTheSocketTakesALittle() throws IOException {
        Connection connection = connect();
        fill(connection);
        SocketChannel client = clients.getFirst();
        client.configureBlocking(false);
        MemorySegment before = connection.memory();
        before.set(ValueLayout.JAVA_BYTE, 0, (byte) 77);
        ByteBuffer read = ByteBuffer.allocate(FRAME);
        while (client.read(read.clear()) > 0) {
            connection.flush();
            if (!connection.hasOutput()) {
                break;
            }
            assertThat(before.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 77);
        }
    }

    @Test
    void closesAConnectionThatDoesNotTakeWhatItWasToldAtTheEnd() throws IOException {
        Connection connection = connect();
        connection.opening = true;
        connections.error(connection, FailureCode.SUPERSEDED, "another connection has resumed this session");
        long now = System.nanoTime();
        connections.sweep(now, false);
        assertThat(connection.isOpen()).isTrue();
        connections.sweep(now + Duration.ofSeconds(11).toNanos(), false);
        assertThat(connection.isOpen()).isFalse();
        assertThat(connections.count()).isZero();
    }

    /** Its output must not grow, or the memory that it takes may cost another client its connection. */
    @Test
    void closesASilentConnectionOnlyIfItHasToLogInOrHasBegunARequest() throws IOException {
        Connection silent = connect();
        Connection half = connect();
        assertThat(half.keep(MemorySegment.ofArray(new byte[8]), 0, 8)).isTrue();
        long later = System.nanoTime() + Duration.ofSeconds(11).toNanos();
        connections.sweep(System.nanoTime(), true);
        assertThat(half.isOpen()).isTrue();
        connections.sweep(later, false);
        assertThat(half.isOpen()).isFalse();
        assertThat(silent.isOpen()).isTrue();
        connections.sweep(later, true);
        assertThat(silent.isOpen()).isFalse();
    }

    @Test
    void givesAConnectionThatIsDeadNoMoreMemory() throws IOException {
        Connection other = connect();
        fill(other);
        Connection dead = connect();
        assertThat(dead.claim(FRAME)).isNotNegative();
        clients.getLast().setOption(StandardSocketOptions.SO_LINGER, 0).close();
        for (int i = 0; i < 5 && !dead.broken; i++) {
            dead.claim(FRAME);
        }
        assertThat(dead.broken).isTrue();
        long leased = connections.buffers().leasedBytes();
        assertThat(dead.claim(FRAME)).isNegative();
        assertThat(connections.buffers().leasedBytes()).isEqualTo(leased);
        connections.wrote(dead);
        assertThat(dead.isOpen()).isFalse();
        assertThat(other.isOpen()).isTrue();
        assertThat(connections.count()).isEqualTo(1);
    }

    @Test
    void tellsASlowClientWhyItIsLetGo() throws IOException {
        Connection connection = connect();
        connection.opening = true;
        int frames = fill(connection);
        connections.wrote(connection);
        assertThat(connection.closing).isTrue();
        SocketChannel client = clients.getFirst();
        ByteBuffer read = ByteBuffer.allocate(frames * FRAME + (1 << 12));
        client.configureBlocking(false);
        while (connection.isOpen()) {
            client.read(read);
            connection.blocked = false;
            connections.markDirty(connection);
            connections.flushDirty();
        }
        client.configureBlocking(true);
        int bytes;
        do {
            bytes = client.read(read);
        } while (bytes > 0);
        MemorySegment lastWords = MemorySegment.ofBuffer(read.flip().position(frames * FRAME));
        assertThat(Message.type(lastWords, 0)).isEqualTo(MessageType.ERROR);
        assertThat(FailureNotice.code(lastWords, 0)).isEqualTo(FailureCode.SLOW_CONSUMER);
    }

    private Connection connect() throws IOException {
        return connect(NativeProtocol.INSTANCE);
    }

    private Connection connect(Conversation conversation) throws IOException {
        clients.add(SocketChannel.open(server.getLocalAddress()));
        SocketChannel channel = server.accept();
        channel.configureBlocking(false);
        SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
        Connection connection = new Connection(
                clients.size(), Host.system(), channel, key, conversation, 1 << 16, MAX_UNREAD, connections.buffers());
        key.attach(connection);
        connections.add(connection);
        return connection;
    }

    /** A protocol in which an answer belongs to the oldest request that has none. */
    private static final class InOrder implements Conversation {
        @Override
        public int decode(MemorySegment memory, long offset, int length, Requests requests, Responses responses) {
            return INCOMPLETE;
        }

        @Override
        public void encode(MemorySegment memory, long offset, int length, Responses responses) {
            long at = responses.claim(1);
            responses.memory().set(ValueLayout.JAVA_BYTE, at, (byte) '-');
        }
    }

    /** Writes until neither the socket nor the connection takes more; returns how many frames that were. */
    private static int fill(Connection connection) {
        int frames = 0;
        long at;
        while ((at = connection.claim(FRAME)) >= 0) {
            connection.memory().asSlice(at, FRAME).fill((byte) frames);
            frames++;
        }
        return frames;
    }

    private static int receive(SocketChannel client, ByteBuffer read) throws IOException {
        int received = 0;
        int bytes;
        while ((bytes = client.read(read.clear())) > 0) {
            received += bytes;
        }
        return received;
    }
}
