package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.Feed;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.testkit.Await;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client may have many topics, and one that wants all there could be does not fill the heap of the service. */
class SubscriptionLimitTest {
    private static final int MOST = 65_536;

    @TempDir
    Path directory;

    @Test
    void aClientWithTooManySubscriptionsIsRefusedOneMore() throws Exception {
        ServiceConfig config = ServiceConfig.in(directory)
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 18));
        AtomicInteger items = new AtomicInteger();
        try (Service service = Service.start(config, new ManyTopics());
                ServiceClient client = TestClients.connect(service.port())) {
            List<Feed> feeds = new ArrayList<>();
            for (int topic = 0; topic < MOST; topic++) {
                feeds.add(client.subscribe(topic, (_, _, _, _, _) -> items.incrementAndGet()));
            }
            for (Feed feed : feeds) {
                Await.done(feed.started());
            }
            assertThatThrownBy(() -> subscribe(client, MOST))
                    .cause()
                    .isInstanceOfSatisfying(
                            ServiceException.class,
                            e -> assertThat(e.code()).isEqualTo(FailureCode.TOO_MANY_SUBSCRIPTIONS))
                    .hasMessageContaining("a client has at most 65536 subscriptions");

            for (int topic = 0; topic < MOST; topic += 1000) {
                client.call(payload(topic));
            }
            Await.until("each item has come", () -> items.get() == (MOST + 999) / 1000);

            feeds.get(7).close();
            Await.until("there is room for another one", () -> {
                try {
                    subscribe(client, MOST);
                    return true;
                } catch (ExecutionException e) {
                    return false;
                }
            });
        }
    }

    private static void subscribe(ServiceClient client, long topic) throws Exception {
        CompletableFuture<Void> started =
                client.subscribe(topic, (_, _, _, _, _) -> {}).started();
        Await.done(started);
    }

    /** A command names the topic that it publishes to. */
    private static final class ManyTopics implements StateMachine {
        @Override
        public void onCommand(Request command, Output output) {
            long topic = command.memory().get(LedgerMachine.LONG, command.offset());
            output.publish(topic, command.memory(), command.offset(), command.length());
            output.reply(command.memory(), command.offset(), command.length());
        }

        @Override
        public long stateHash() {
            return 0;
        }
    }
}
