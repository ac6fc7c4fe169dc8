package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.RawFrames.receive;
import static io.slipstream.service.RawFrames.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Welcome;
import io.slipstream.testkit.Await;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.RepeatedTest;

/** A real client against a service of the test's own, which answers when it would be least convenient. */
class ResendTest {
    private static final int WINDOW = 1 << 14;
    private static final int COMMANDS = 2_000;

    /**
     * Commands of the first connection are answered on the second one right behind the welcome, while new commands
     * already take their room in the client's window.
     */
    @RepeatedTest(50)
    void sendsEveryCommandUnderOneNumberThoughAnswersComeWhereAResendWasDue() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Map<Long, Long> numbers = new HashMap<>();
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> {
                try {
                    serve(server, numbers);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            try (ServiceClient client = TestClients.builder(server.getLocalPort())
                    .windowBytes(WINDOW)
                    .connect()) {
                for (int i = 0; i < COMMANDS; i++) {
                    replies.add(client.send(payload(i)));
                }
                for (CompletableFuture<Reply> reply : replies) {
                    Await.done(reply);
                }
                client.disconnect();
            }
            Await.done(served);
            assertThat(numbers).hasSize(COMMANDS);
        }
    }

    private static void serve(ServerSocket server, Map<Long, Long> numbers) throws Exception {
        List<Long> unanswered = new ArrayList<>();
        try (Socket first = server.accept()) {
            receive(first);
            send(first, welcome());
            int full = WINDOW / Frame.align(Message.HEADER_BYTES + Long.BYTES) - 1;
            for (int i = 0; i < full; i++) {
                unanswered.add(numberOf(receive(first), numbers));
            }
        }
        try (Socket second = server.accept()) {
            receive(second);
            ByteArrayOutputStream answers = new ByteArrayOutputStream();
            answers.writeBytes(welcome());
            unanswered.forEach(correlation -> answers.writeBytes(reply(correlation)));
            send(second, answers.toByteArray());
            while (numbers.size() < COMMANDS) {
                send(second, reply(numberOf(receive(second), numbers)));
            }
        }
    }

    /** Returns the correlation of a command, of which there must be one for each number and one number for each. */
    private static long numberOf(MemorySegment command, Map<Long, Long> numbers) {
        assertThat(Message.type(command, 0)).isEqualTo(MessageType.COMMAND);
        long correlation = Message.correlation(command, 0);
        Long before = numbers.putIfAbsent(Message.payloadLong(command, 0, 0), correlation);
        assertThat(before == null || before == correlation).isTrue();
        return correlation;
    }

    private static byte[] welcome() {
        byte[] bytes = new byte[Frame.align(Message.HEADER_BYTES + Welcome.BYTES)];
        MemorySegment memory = MemorySegment.ofArray(bytes);
        Message.header(memory, 0, MessageType.WELCOME, Welcome.BYTES, 99, 0);
        Welcome.encodePayload(memory, 0, 0, false, 1 << 15, 1 << 14);
        return bytes;
    }

    private static byte[] reply(long correlation) {
        byte[] bytes = new byte[Frame.align(Message.HEADER_BYTES)];
        Message.header(MemorySegment.ofArray(bytes), 0, MessageType.REPLY, 0, 99, correlation);
        return bytes;
    }
}
