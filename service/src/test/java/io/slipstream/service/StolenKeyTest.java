package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static io.slipstream.service.RawFrames.command;
import static io.slipstream.service.RawFrames.hello;
import static io.slipstream.service.RawFrames.receive;
import static io.slipstream.service.RawFrames.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.FailureNotice;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.security.ClientLimits;
import io.slipstream.service.security.DeniedException;
import io.slipstream.service.security.Identity;
import io.slipstream.service.security.Rights;
import io.slipstream.testkit.Await;
import java.lang.foreign.MemorySegment;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The key of a session is worth nothing without the credentials of the one whose session it is. */
class StolenKeyTest {
    @TempDir
    Path directory;

    @Test
    void aSessionIsResumedOnlyByWhomItBelongsTo() throws Exception {
        ServiceConfig config = ServiceConfig.in(directory)
                .withMaxResponseTime(Await.RESPONSE)
                .withEvents(ServiceEvents.ignored())
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20))
                .withAuthenticator(shown -> {
                    String token = new String(shown.token(), StandardCharsets.UTF_8);
                    if (!List.of("alice's secret", "mallory's secret", "witness")
                            .contains(token)) {
                        throw new DeniedException("nobody's");
                    }
                    return new Identity(token.substring(0, 5), Rights.ALL, ClientLimits.NONE, Instant.MAX);
                });
        try (Service service = Service.start(config, new LedgerMachine());
                ServiceClient witness =
                        TestClients.builder(service.port()).token("witness").connect()) {
            try (Socket alice = connect(service, "alice's secret")) {
                assertThat(Message.type(receive(alice), 0)).isEqualTo(MessageType.WELCOME);
                try (Socket mallory = connect(service, "mallory's secret")) {
                    MemorySegment error = receive(mallory);
                    assertThat(Message.type(error, 0)).isEqualTo(MessageType.ERROR);
                    assertThat(FailureNotice.code(error, 0)).isEqualTo(FailureCode.FORBIDDEN);
                }
                try (Socket nobody = connect(service, "a guess")) {
                    assertThat(FailureNotice.code(receive(nobody), 0)).isEqualTo(FailureCode.UNAUTHENTICATED);
                }
                send(alice, command(MessageType.COMMAND, 1, 5));
                assertThat(Message.payloadLong(receive(alice), 0, 0)).isEqualTo(1);
            }
            try (Socket back = connect(service, "alice's secret")) {
                assertThat(Message.type(receive(back), 0)).isEqualTo(MessageType.WELCOME);
            }
            assertThat(value(witness.call(payload(9)).payload())).isEqualTo(2);
        }
        assertNoSecretIn(directory);
    }

    /** What shows who a client is stays out of the log. */
    private static void assertNoSecretIn(Path folder) throws Exception {
        try (var files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as("%s", file)
                        .doesNotContain("secret");
            }
        }
    }

    private static Socket connect(Service service, String token) throws Exception {
        byte[] secret = token.getBytes(StandardCharsets.UTF_8);
        byte[] hello = hello(77);
        int length = hello.length + secret.length;
        byte[] bytes = Arrays.copyOf(hello, Frame.align(length));
        System.arraycopy(secret, 0, bytes, hello.length, secret.length);
        Frame.length(MemorySegment.ofArray(bytes), 0, length);
        Socket socket = new Socket("127.0.0.1", service.port());
        send(socket, bytes);
        return socket;
    }
}
