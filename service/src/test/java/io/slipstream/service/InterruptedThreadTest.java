package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.testkit.Await;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What waits for others ends early on an interrupted thread; all else is done as by any other. */
class InterruptedThreadTest {
    @TempDir
    Path directory;

    @Test
    void startsAndEndsAServiceAndSends() throws Exception {
        ServiceConfig config = ServiceConfig.in(directory)
                .withMaxResponseTime(Await.RESPONSE)
                .withAddress(new InetSocketAddress("127.0.0.1", 0))
                .withJournal(JournalConfig.at(Durability.SYNC).withSegmentBytes(1 << 20));
        Thread.currentThread().interrupt();
        try (Service service = Service.start(config, new LedgerMachine());
                ServiceClient client =
                        ServiceClient.builder("127.0.0.1", service.port()).begin()) {
            CompletableFuture<Reply> reply = client.send(payload(1));
            assertThat(Thread.interrupted()).as("still interrupted").isTrue();
            assertThat(value(Await.done(reply).payload())).isEqualTo(1);
            Thread.currentThread().interrupt();
        } finally {
            assertThat(Thread.interrupted()).as("still interrupted").isTrue();
        }
        try (Service again = Service.start(config, new LedgerMachine())) {
            assertThat(again.recovery().records()).isPositive();
        }
    }
}
