package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.security.Tls;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.Certificates;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long an output may be is the same in every service and every replay, and every client takes it. */
class OutputLimitTest {
    private static final int SMALLEST_RING = 2 * Message.MAX_OUTPUT_BYTES;

    @TempDir
    Path directory;

    @Test
    void answersACommandAndAQueryWhoseReplyIsRefused() throws Exception {
        try (Service service = Service.start(config(), new SizedMachine());
                ServiceClient client = TestClients.connect(service.port())) {
            for (long length : new long[] {Output.MAX_LENGTH + 1, Integer.MAX_VALUE, -1, SizedMachine.NOT_ALL_THERE}) {
                assertThatThrownBy(() -> client.call(payload(length)))
                        .as("reply of %d", length)
                        .isInstanceOfSatisfying(
                                ServiceException.class,
                                e -> assertThat(e.code()).isEqualTo(FailureCode.LOGIC_FAILED));
                assertThatThrownBy(() -> client.query(payload(length)))
                        .as("query with %d", length)
                        .isInstanceOfSatisfying(
                                ServiceException.class,
                                e -> assertThat(e.code()).isEqualTo(FailureCode.LOGIC_FAILED));
            }
            assertThatThrownBy(() -> client.call(payload(Output.MAX_LENGTH + 1)))
                    .hasMessageContaining("an output has from 0 to 262096 bytes, not 262097 (log entry ");
            assertThat(client.call(payload(10)).payload()).hasSize(10);
        }
    }

    @Test
    void bringsTheLongestReplyToItsClientThroughTheSmallestRing() throws Exception {
        assertThatThrownBy(() -> config().withLimits(limits -> limits.withRings(1 << 20, SMALLEST_RING - 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("outputRingBytes");
        try (Service service = Service.start(
                        config().withLimits(limits -> limits.withRings(1 << 20, SMALLEST_RING)), new SizedMachine());
                ServiceClient client = TestClients.connect(service.port())) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.call(payload(Output.MAX_LENGTH)).payload()).hasSize(Output.MAX_LENGTH);
                assertThat(client.call(payload(i)).payload()).hasSize(i);
            }
        }
    }

    /** What TLS hands out ends anywhere: in the middle of a reply, or of the one behind it. */
    @Test
    void sendsTheLongestRepliesAlsoOverTlsAmongShortOnes() throws Exception {
        Certificates certificates = new Certificates(directory);
        Path certificate = certificates.selfSigned("service");
        Random random = new Random(1);
        ServiceConfig secured = config().withTls(Tls.server(certificate, certificates.key("service")));
        try (Service service = Service.start(secured, new SizedMachine());
                ServiceClient client = ServiceClient.builder("localhost", service.port())
                        .tls(Tls.client(certificate))
                        .connect()) {
            for (int i = 0; i < 20; i++) {
                Map<Integer, CompletableFuture<Reply>> replies = new LinkedHashMap<>();
                for (int j = 0; j < 20; j++) {
                    int length =
                            random.nextBoolean() ? random.nextInt(20_000) : Output.MAX_LENGTH - random.nextInt(20_000);
                    replies.put(length, client.send(payload(length)));
                }
                for (Map.Entry<Integer, CompletableFuture<Reply>> each : replies.entrySet()) {
                    assertThat(Await.done(each.getValue()).payload()).hasSize(each.getKey());
                }
            }
        }
    }

    @Test
    void letsAClientLeaveUnreadWhatItMayGetAtOnceWhenItComesBack() {
        int atOnce = (1 << 16) + Message.MAX_OUTPUT_BYTES;
        ServiceConfig config = config().withLimits(
                        limits -> limits.withClients(16, 16, 1 << 16).withMaxUnreadBytes(atOnce));
        assertThat(config.limits().maxUnreadBytes()).isEqualTo(atOnce);
        assertThatThrownBy(() -> config.withLimits(limits -> limits.withMaxUnreadBytes(atOnce - 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("outboxBytes 65536");
    }

    /**
     * The machine counts a command after it has replied, so a reply that is refused in one run alone leads elsewhere.
     */
    @Test
    void replaysToTheSameStateWhateverTheSizeOfTheRings() throws Exception {
        long[] lengths = {10, 40_000, 200_000, Output.MAX_LENGTH, Output.MAX_LENGTH + 1, 5_000_000, 20};
        try (Service service = Service.start(config(), new SizedMachine());
                ServiceClient client = TestClients.connect(service.port())) {
            for (long length : lengths) {
                Await.done(client.send(payload(length)).handle((reply, failure) -> 0));
            }
            assertThat(client.status().stateHash()).isEqualTo(5);
        }
        assertThat(Service.replay(config(), new SizedMachine()).stateHash()).isEqualTo(5);
        for (int ring : new int[] {SMALLEST_RING, 1 << 24}) {
            assertThat(Service.replay(
                                    config().withLimits(limits -> limits.withRings(1 << 20, ring)), new SizedMachine())
                            .stateHash())
                    .isEqualTo(5);
            try (Service service = Service.start(
                            config().withLimits(limits -> limits.withRings(1 << 20, ring)), new SizedMachine());
                    ServiceClient client = TestClients.connect(service.port())) {
                assertThat(client.status().stateHash()).isEqualTo(5);
            }
        }
    }

    private ServiceConfig config() {
        return ServiceConfig.in(directory)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20))
                .withMaxResponseTime(Duration.ofSeconds(60));
    }

    /** Answers with as many bytes as it is asked for, and counts how often it could. */
    private static final class SizedMachine implements StateMachine {
        static final long NOT_ALL_THERE = Long.MAX_VALUE;

        private final MemorySegment bytes = MemorySegment.ofArray(new byte[Output.MAX_LENGTH + 1]);
        private long replies;

        @Override
        public void onCommand(Request command, Output output) {
            reply(command, output);
            replies++;
        }

        @Override
        public void onQuery(Request query, Output output) {
            reply(query, output);
        }

        @Override
        public long stateHash() {
            return replies;
        }

        private void reply(Request command, Output output) {
            long length =
                    value(command.memory().asSlice(command.offset(), Long.BYTES).toArray(ValueLayout.JAVA_BYTE));
            if (length == NOT_ALL_THERE) {
                output.reply(bytes, bytes.byteSize() - 1, 2);
            } else {
                output.reply(bytes, 0, (int) length);
            }
        }
    }
}
