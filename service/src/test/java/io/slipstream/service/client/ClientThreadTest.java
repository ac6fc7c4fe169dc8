package io.slipstream.service.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.EchoMachine;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.TestClients;
import io.slipstream.testkit.Await;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientThreadTest {
    @Test
    void keepsTheJvmAliveUnlessItIsADaemon() throws Exception {
        assertThat(isDaemon(ServiceClient.builder("127.0.0.1", 1))).isFalse();
        assertThat(isDaemon(ServiceClient.builder("127.0.0.1", 1).daemon())).isTrue();
    }

    @TempDir
    private Path folder;

    /** An error of a handler ends the client's thread, and whoever uses the client later is told so. */
    @Test
    void saysWhatHasEndedItsThread() throws Exception {
        ServiceConfig config = ServiceConfig.in(folder)
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 18));
        try (Service service = Service.start(config, new EchoMachine());
                ServiceClient client = TestClients.connect(service.port())) {
            CompletableFuture<Void> subscribed = new CompletableFuture<>();
            client.subscribe(1, new FeedHandler() {
                @Override
                public void onLive() {
                    subscribed.join();
                    throw new LinkageError("made up");
                }

                @Override
                public void onItem(long sequence, int index, MemorySegment memory, long offset, int length) {}
            });
            subscribed.complete(null);
            Await.until("the client has ended", () -> !client.isOpen());
            assertThatThrownBy(() -> client.call(new byte[8]))
                    .isInstanceOf(ServiceException.class)
                    .hasMessageContaining("the client has failed, and ended: java.lang.LinkageError: made up");
        }
    }

    private static boolean isDaemon(ServiceClient.Builder builder) throws Exception {
        Set<Thread> before = clients();
        try (ServiceClient client = builder.begin()) {
            Set<Thread> present = new HashSet<>(clients());
            present.removeAll(before);
            assertThat(client).isNotNull();
            assertThat(present).hasSize(1);
            return present.iterator().next().isDaemon();
        }
    }

    private static Set<Thread> clients() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("slipstream-client"))
                .collect(Collectors.toSet());
    }
}
