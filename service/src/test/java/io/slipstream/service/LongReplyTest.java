package io.slipstream.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.spi.Conversation;
import io.slipstream.service.spi.Protocol;
import io.slipstream.service.spi.Requests;
import io.slipstream.service.spi.Responses;
import io.slipstream.testkit.Await;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client whose session ends with its connection gets replies and events of many megabytes, in pieces. */
class LongReplyTest {
    private static final int SMALLEST_RING = 2 * Message.MAX_OUTPUT_BYTES;
    private static final long REFUSED = -1;

    @TempDir
    Path directory;

    private final Sized protocol = new Sized();

    @ParameterizedTest
    @EnumSource(Threading.class)
    void repliesAndEventsOfMegabytesArriveWholeThroughTheSmallestRing(Threading threading) throws Exception {
        long[] lengths = {8, Output.MAX_LENGTH, Output.MAX_LENGTH + 1, 20_000_000, 100, -Output.MAX_LENGTH - 1, 1 << 20
        };
        ServiceConfig config = config().withLimits(limits -> limits.withRings(1 << 20, SMALLEST_RING))
                .withThreading(threading);
        try (Service service = Service.start(config, new SizedMachine());
                Client client = new Client(service)) {
            for (long length : lengths) {
                client.ask(length);
                client.expect(length);
            }
            for (long length : lengths) {
                client.ask(length);
            }
            for (long length : lengths) {
                client.expect(length);
            }
        }
        assertThat(Service.replay(config(), new SizedMachine()).stateHash()).isEqualTo(2L * lengths.length);
    }

    @Test
    void moreThanTheLongestReplyIsRefusedWhole() throws Exception {
        try (Service service = Service.start(config(), new SizedMachine());
                Client client = new Client(service)) {
            client.ask(Output.MAX_LENGTH_UNKEPT + 1);
            assertThat(client.in.readLong()).isEqualTo(REFUSED);
            client.ask(Output.MAX_LENGTH_UNKEPT);
            client.expect(Output.MAX_LENGTH_UNKEPT);
        }
        assertThat(Service.replay(config(), new SizedMachine()).stateHash()).isEqualTo(1);
    }

    @Test
    void aClientThatDoesNotReadIsDisconnectedAndDelaysNobody() throws Exception {
        int length = 40_000_000;
        int times = 4;
        try (Service service = Service.start(config(), new SizedMachine());
                Client slow = new Client(service);
                Client other = new Client(service)) {
            ByteBuffer together = ByteBuffer.allocate(times * Long.BYTES);
            for (int i = 0; i < times; i++) {
                together.putLong(length);
            }
            // At once: behind the first long answer it would not be read any more.
            slow.out.write(together.array());
            assertThat(slow.in.read()).isEqualTo(0);
            // Each of them is answered behind all that the other one has asked for.
            for (int i = 0; i < 100; i++) {
                other.ask(1000);
                other.expect(1000);
            }
            assertThat(slow.readToTheEnd()).isLessThan((long) times * length);
            other.ask(10);
            other.expect(10);
        }
    }

    private ServiceConfig config() {
        return ServiceConfig.in(directory)
                .withProtocol(protocol, new InetSocketAddress("127.0.0.1", 0))
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20))
                .withMaxResponseTime(Await.RESPONSE);
    }

    private final class Client implements AutoCloseable {
        private final Socket socket;
        private final DataInputStream in;
        private final DataOutputStream out;

        Client(Service service) throws IOException {
            socket = new Socket("127.0.0.1", service.port(protocol));
            socket.setSoTimeout(60_000);
            in = new DataInputStream(socket.getInputStream());
            out = new DataOutputStream(socket.getOutputStream());
        }

        void ask(long length) throws IOException {
            out.writeLong(length);
        }

        void expect(long length) throws IOException {
            byte[] bytes = in.readNBytes((int) Math.abs(length));
            assertThat(bytes).hasSize((int) Math.abs(length));
            for (int i = 0; i < bytes.length; i++) {
                if (bytes[i] != (byte) (i * 31 >> 3)) {
                    throw new AssertionError("byte " + i + " of " + length + " is " + bytes[i]);
                }
            }
        }

        long readToTheEnd() throws IOException {
            byte[] some = new byte[1 << 16];
            long all = 0;
            try {
                for (int read = in.read(some); read >= 0; read = in.read(some)) {
                    all += read;
                }
            } catch (SocketException e) {
                // A reset is an end as well.
            }
            return all;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** Requests of eight bytes, answered with the payload alone; with {@link #REFUSED} if they failed. */
    private static final class Sized implements Protocol {
        private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

        @Override
        public String name() {
            return "sized";
        }

        @Override
        public Conversation begin() {
            return new Conversation() {
                private long correlation;

                @Override
                public int decode(
                        MemorySegment memory, long offset, int length, Requests requests, Responses responses) {
                    if (requests.session() == 0) {
                        if (!requests.isOpening()) {
                            requests.open();
                        }
                        return WAIT;
                    }
                    if (length < Long.BYTES) {
                        return INCOMPLETE;
                    }
                    if (!requests.offer(MessageType.COMMAND, correlation + 1, memory, offset, Long.BYTES)) {
                        return WAIT;
                    }
                    correlation++;
                    return Long.BYTES;
                }

                @Override
                public void encode(MemorySegment memory, long offset, int length, Responses responses) {
                    switch (Message.type(memory, offset)) {
                        case MessageType.REPLY, MessageType.EVENT ->
                            responses.write(memory, offset + Message.HEADER_BYTES, length - Message.HEADER_BYTES);
                        case MessageType.FAILED -> responses.write(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1});
                        default -> {
                            // The session is open, or the connection is to end.
                        }
                    }
                }
            };
        }
    }

    /** Answers with as many bytes as it is asked for, by an event if the number is negative, and counts. */
    private static final class SizedMachine implements StateMachine {
        private static final MemorySegment BYTES = pattern();
        private long count;

        private static MemorySegment pattern() {
            byte[] bytes = new byte[Output.MAX_LENGTH_UNKEPT + 1];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (i * 31 >> 3);
            }
            return MemorySegment.ofArray(bytes);
        }

        @Override
        public void onCommand(Request command, Output output) {
            long length = command.memory().get(Sized.LONG, command.offset());
            if (length < 0) {
                output.event(command.session(), BYTES, 0, (int) -length);
            } else {
                output.reply(BYTES, 0, (int) length);
            }
            count++;
        }

        @Override
        public long stateHash() {
            return count;
        }
    }
}
