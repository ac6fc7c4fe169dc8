package io.slipstream.service.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.frame.Frame;
import io.slipstream.service.Service;
import io.slipstream.service.TestClients;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.protocol.ClientSchema;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.FailureNotice;
import io.slipstream.service.protocol.Hello;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Welcome;
import io.slipstream.service.typed.PayVersions.First;
import io.slipstream.service.typed.PayVersions.Later;
import io.slipstream.service.typed.PayVersions.Refund;
import io.slipstream.service.typed.PayVersions.Turned;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client whose records are not versions of those of the service is refused before it has sent any. */
class ClientSchemaTest {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    record Balance(long cents) {}

    record BalanceOf(long account) implements Query<Balance> {}

    private interface Other {
        record Balance(double cents) {}

        record BalanceOf(long account) implements Query<Balance> {}
    }

    @TempDir
    Path directory;

    private static final class Payments extends TypedMachine {
        Payments(Class<? extends Command<Done>> pay) {
            super(ClientSchemaTest.contract(pay, BalanceOf.class));
            on(pay, (command, context) -> Done.DONE);
            answer(BalanceOf.class, (query, context) -> new Balance(query.account()));
        }

        @Override
        public long stateHash() {
            return 0;
        }
    }

    private static Contract contract(Class<? extends Command<Done>> command) {
        return Contract.named("payments", LOOKUP).commands(command).build();
    }

    private static Contract contract(Class<? extends Command<Done>> command, Class<? extends Query<?>> query) {
        return Contract.named("payments", LOOKUP)
                .commands(command)
                .queries(query)
                .build();
    }

    private static TypedClient connect(Service service, Contract contract) throws IOException {
        return TypedClient.of(contract).connect(TestClients.builder(service.port()));
    }

    @Test
    void takesEarlierAndLaterVersions() throws IOException {
        List<Class<? extends Command<Done>>> versions = List.of(First.Pay.class, Later.Pay.class);
        for (Class<? extends Command<Done>> served : versions) {
            try (Service service = Service.start(PayVersions.config(directory), new Payments(served))) {
                for (Class<? extends Command<Done>> client : versions) {
                    try (TypedClient typed = connect(service, contract(client, BalanceOf.class))) {
                        assertThat(typed.query(new BalanceOf(7))).isEqualTo(new Balance(7));
                    }
                }
                try (TypedClient fewer = connect(service, contract(First.Pay.class))) {
                    assertThat(fewer.call(new First.Pay(1, First.Side.SELL))).isEqualTo(Done.DONE);
                }
            }
        }
    }

    @Test
    void refusesAClientThatAFingerprintOfItsMessagesCannotTell() throws IOException {
        try (Service service = Service.start(PayVersions.config(directory), new Payments(First.Pay.class))) {
            Contract turned = contract(Turned.Pay.class, BalanceOf.class);
            assertThatThrownBy(() -> connect(service, turned))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the records of this client (schema "
                            + hex(turned) + ") are not those of the service 'payments' (schema "
                            + hex(contract(First.Pay.class, BalanceOf.class)) + ")")
                    .hasMessageContaining("Side: its constants were [SELL, BUY]")
                    .hasCauseInstanceOf(ServiceException.class)
                    .satisfies(e ->
                            assertThat(((ServiceException) e.getCause()).code()).isEqualTo(FailureCode.OTHER_SCHEMA));
        }
    }

    private static String hex(Contract contract) {
        return HexFormat.of().toHexDigits(contract.definitions().fingerprint());
    }

    @Test
    void refusesAClientWhoseRepliesWouldBeMisread() throws IOException {
        try (Service service = Service.start(PayVersions.config(directory), new Payments(First.Pay.class))) {
            assertThatThrownBy(() -> connect(service, contract(First.Pay.class, Other.BalanceOf.class)))
                    .hasMessageContaining("Balance.cents: was double and is long");
        }
    }

    @Test
    void refusesTheClientOfAnotherService() throws IOException {
        try (Service service = Service.start(PayVersions.config(directory), new Payments(First.Pay.class))) {
            assertThatThrownBy(() -> connect(service, contract(Refund.class)))
                    .hasMessageContaining("the client has Refund, Done, the service Pay, ")
                    .hasMessageContaining("is it the client of another service?");
        }
    }

    @Test
    void takesAClientThatSaysNothing() throws IOException {
        Contract turned = contract(Turned.Pay.class);
        try (Service service = Service.start(PayVersions.config(directory), new Payments(First.Pay.class));
                ServiceClient client = TestClients.connect(service.port())) {
            byte[] command = turned.operation(Turned.Pay.class).codec().toBytes(new Turned.Pay(1, Turned.Side.BUY));
            assertThat(client.call(command).payload()).isNotEmpty();
        }
    }

    @Test
    void refusesWhatIsNoSchemaAndOneThatComesTwice() throws IOException {
        try (Service service = Service.start(PayVersions.config(directory), new Payments(First.Pay.class))) {
            assertRefused(service, FailureCode.MALFORMED, ClientSchema.encode(1, "what is this"));
            assertRefused(service, FailureCode.MALFORMED, ClientSchema.encode(1, "#"));
            assertRefused(service, FailureCode.MALFORMED, ClientSchema.encode(1, nested(33)));
            assertRefused(service, FailureCode.MALFORMED, ClientSchema.encode(1, nested(2_000)));
            assertRefused(service, FailureCode.OTHER_SCHEMA, ClientSchema.encode(1, nested(32)));
            assertRefused(service, FailureCode.MALFORMED, ClientSchema.encode(1, ofManyVersions()));
            byte[] good = ClientSchema.encode(1, "");
            assertRefused(service, FailureCode.MALFORMED, good, good);
            byte[] early = ClientSchema.encode(1, "");
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
                socket.getOutputStream().write(early);
                MemorySegment answer = receive(socket);
                assertThat(Message.type(answer, 0)).isEqualTo(MessageType.FAILED);
                assertThat(FailureNotice.code(answer, 0)).isEqualTo(FailureCode.NO_SESSION);
            }
        }
    }

    private static String nested(int depth) {
        return "record R id 300 version 1 {\n  1 " + "list<".repeat(depth) + "int" + ">".repeat(depth) + " a\n}\n";
    }

    private static String ofManyVersions() {
        StringBuilder text = new StringBuilder("record Pay id 300 version 1 {\n");
        for (int i = 1; i < 100; i++) {
            text.append("  ")
                    .append(i)
                    .append(" int a")
                    .append(i)
                    .append(" since ")
                    .append(60_000 + i)
                    .append('\n');
        }
        return text.append("}\n").toString();
    }

    private static void assertRefused(Service service, FailureCode code, byte[]... messages) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port())) {
            byte[] hello = new byte[Frame.align(Message.HEADER_BYTES + Hello.BYTES)];
            Hello.encode(MemorySegment.ofArray(hello), 0, 77, 0, 0);
            socket.getOutputStream().write(hello);
            assertThat(Message.type(receive(socket), 0)).isEqualTo(MessageType.WELCOME);
            for (int i = 0; i < messages.length; i++) {
                socket.getOutputStream().write(messages[i]);
                MemorySegment answer = receive(socket);
                if (i < messages.length - 1) {
                    assertThat(Message.type(answer, 0)).isEqualTo(MessageType.REPLY);
                } else {
                    assertThat(Message.type(answer, 0)).isEqualTo(MessageType.ERROR);
                    assertThat(FailureNotice.code(answer, 0)).isEqualTo(code);
                }
            }
        }
    }

    private static MemorySegment receive(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] head = in.readNBytes(Message.HEADER_BYTES);
        if (head.length < Message.HEADER_BYTES) {
            throw new EOFException("the service has closed the connection");
        }
        int length = Frame.length(MemorySegment.ofArray(head), 0);
        byte[] rest = in.readNBytes(Frame.align(length) - head.length);
        MemorySegment frame = MemorySegment.ofArray(new byte[Frame.align(length)]);
        MemorySegment.copy(head, 0, frame, ValueLayout.JAVA_BYTE, 0, head.length);
        MemorySegment.copy(rest, 0, frame, ValueLayout.JAVA_BYTE, head.length, rest.length);
        return frame;
    }

    @Test
    void aServiceThatIsTooOldToCompareIsServedAllTheSame() throws Exception {
        Contract contract = contract(First.Pay.class);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> serving = CompletableFuture.runAsync(() -> {
                try (Socket socket = server.accept()) {
                    receive(socket);
                    socket.getOutputStream().write(welcome());
                    MemorySegment schema = receive(socket);
                    assertThat(Message.type(schema, 0)).isEqualTo(MessageType.SCHEMA);
                    assertThat(ClientSchema.fingerprint(schema, 0))
                            .isEqualTo(contract.definitions().fingerprint());
                    assertThat(ClientSchema.definitions(schema, 0, Frame.length(schema, 0)))
                            .isEqualTo(contract.definitions().toString());
                    socket.getOutputStream().write(unknownType());
                    MemorySegment command = receive(socket);
                    assertThat(Message.type(command, 0)).isEqualTo(MessageType.COMMAND);
                    byte[] done =
                            contract.operation(First.Pay.class).replyCodec().toBytes(Done.DONE);
                    byte[] reply = new byte[Frame.align(Message.HEADER_BYTES + done.length)];
                    MemorySegment memory = MemorySegment.ofArray(reply);
                    Message.header(memory, 0, MessageType.REPLY, done.length, 99, Message.correlation(command, 0));
                    MemorySegment.copy(done, 0, memory, ValueLayout.JAVA_BYTE, Message.HEADER_BYTES, done.length);
                    socket.getOutputStream().write(reply);
                    receive(socket);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            try (TypedClient client = TypedClient.of(contract).connect(TestClients.builder(server.getLocalPort()))) {
                assertThat(client.call(new First.Pay(1, First.Side.BUY))).isEqualTo(Done.DONE);
                client.raw().disconnect();
            }
            serving.handle((_, _) -> true).get();
        }
    }

    private static byte[] welcome() {
        byte[] bytes = new byte[Frame.align(Message.HEADER_BYTES + Welcome.BYTES)];
        MemorySegment memory = MemorySegment.ofArray(bytes);
        Message.header(memory, 0, MessageType.WELCOME, Welcome.BYTES, 99, 0);
        Welcome.encodePayload(memory, 0, 0, false, 1 << 15, 1 << 14);
        return bytes;
    }

    private static byte[] unknownType() {
        byte[] bytes = new byte[Frame.align(Message.HEADER_BYTES + 8)];
        MemorySegment memory = MemorySegment.ofArray(bytes);
        Message.header(memory, 0, MessageType.FAILED, 8, 99, 0);
        Message.payloadInt(memory, 0, 0, FailureCode.UNKNOWN_TYPE.number());
        return bytes;
    }
}
