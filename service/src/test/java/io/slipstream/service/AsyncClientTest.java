package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stages behind futures that send themselves, more of them than the window has room for. */
class AsyncClientTest {
    private static final int CHAINS = 20_000;

    @TempDir
    Path directory;

    private Service service;

    @BeforeEach
    void start() throws IOException {
        service = Service.start(
                ServiceConfig.in(directory)
                        .withMaxResponseTime(Duration.ofMinutes(1))
                        .withEvents(ServiceEvents.ignored())
                        .withJournal(JournalConfig.at(Durability.PROCESS)),
                new Echo());
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void moreChainsThanTheWindowHasRoomForAllEnd() throws Exception {
        try (ServiceClient client = builder().connect()) {
            requireAllChainsEnd(client);
        }
    }

    @Test
    void soTheyDoOnAnExecutor() throws Exception {
        Set<String> threads = ConcurrentHashMap.newKeySet();
        try (ExecutorService executor = Executors.newFixedThreadPool(
                        2, Thread.ofPlatform().name("completion-", 0).factory());
                ServiceClient client = builder().completions(executor).connect()) {
            requireAllChainsEnd(client);
            Await.done(client.send(payload(1))
                    .thenAccept(_ -> threads.add(Thread.currentThread().getName())));
        }
        assertThat(threads).hasSize(1).allMatch(name -> name.startsWith("completion-") || name.equals("main"));
    }

    @Test
    void anExecutorThatIsShutDownLeavesNoFutureOpen() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        executor.shutdown();
        try (ServiceClient client = builder().completions(executor).connect()) {
            assertThat(value(Await.done(client.send(payload(7))).payload())).isEqualTo(7);
        }
    }

    @Test
    void theOwnThreadOfTheClientWaitsForNoReply() throws Exception {
        try (ServiceClient client = builder().connect()) {
            CompletableFuture<byte[]> nested =
                    onOwnThread(client, () -> client.call(payload(2)).payload());
            assertThatThrownBy(() -> Await.done(nested))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("cannot wait for a reply");
        }
    }

    @Test
    void aStageMayCloseTheClient() throws Exception {
        ServiceClient client = builder().connect();
        Await.done(onOwnThread(client, () -> {
            client.close();
            return new byte[0];
        }));
        Await.until("the client has ended", () -> !client.isOpen());
        client.close();
    }

    private static CompletableFuture<byte[]> onOwnThread(ServiceClient client, Supplier<byte[]> action) {
        Thread own = Thread.currentThread();
        while (true) {
            // A future that is done already runs its stages here.
            CompletableFuture<byte[]> done = client.send(payload(1))
                    .thenApply(reply -> Thread.currentThread() == own ? reply.payload() : action.get());
            try {
                byte[] payload = Await.done(done);
                if (payload.length == 0) {
                    return done;
                }
            } catch (InterruptedException | ExecutionException e) {
                return done;
            }
        }
    }

    private static void requireAllChainsEnd(ServiceClient client) throws Exception {
        List<CompletableFuture<Long>> chains = new ArrayList<>();
        for (long i = 0; i < CHAINS; i++) {
            long first = i;
            chains.add(client.send(payload(first))
                    .thenCompose(reply -> client.send(payload(value(reply.payload()) + CHAINS)))
                    .thenApply(reply -> value(reply.payload())));
        }
        for (int i = 0; i < CHAINS; i++) {
            assertThat(Await.done(chains.get(i))).isEqualTo(i + CHAINS);
        }
        assertThat(value(client.call(payload(3)).payload())).isEqualTo(3);
    }

    private ServiceClient.Builder builder() {
        return ServiceClient.builder("127.0.0.1", service.port());
    }

    /** Answers with what it got. */
    private static final class Echo implements StateMachine {
        @Override
        public void onCommand(Request command, Output output) {
            output.reply(command.payload());
        }

        @Override
        public long stateHash() {
            return 0;
        }
    }
}
