package io.slipstream.service;

import static io.slipstream.service.LedgerMachine.payload;
import static io.slipstream.service.LedgerMachine.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.client.FeedHandler;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that begins anew goes on in its session, and what it sends again is applied once. */
class NumberedCommandsTest {
    private static final long KEY = 0x5EED_5E55_1041L;
    private static final int WINDOW = 1 << 14;
    private static final int COMMANDS = 2_000;

    @TempDir
    Path directory;

    @Test
    void whatAnotherClientSendsAgainIsAppliedOnce() throws Exception {
        try (Service service = start()) {
            long session;
            try (ServiceClient first = client(service)) {
                session = first.session();
                for (int i = 1; i <= COMMANDS / 2; i++) {
                    first.send(i, payload(i));
                }
                first.disconnect();
            }
            try (ServiceClient second = client(service)) {
                assertThat(second.session()).isEqualTo(session).isNotZero();
                requireEachAppliedOnce(second, COMMANDS);
            }
        }
    }

    @Test
    void theAnswerOfACommandThatWasAnsweredComesAgain() throws Exception {
        try (Service service = start()) {
            Reply before;
            try (ServiceClient first = client(service)) {
                before = first.call(7, payload(7));
                first.disconnect();
            }
            try (ServiceClient second = client(service)) {
                Reply again = second.call(7, payload(7));
                assertThat(again.sequence()).isEqualTo(before.sequence());
                assertThat(again.payload()).isEqualTo(before.payload());
                assertThat(value(second.query(payload(7)).payload())).isEqualTo(1);
            }
        }
    }

    @Test
    void numbersHoldAcrossARestartOfTheService() throws Exception {
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        Service service = start();
        try (ServiceClient client = client(service)) {
            int port = service.port();
            for (int i = 1; i <= COMMANDS; i++) {
                replies.add(client.send(i, payload(i)));
                if (i == COMMANDS / 2) {
                    service.close();
                    service = start(port);
                }
            }
            for (CompletableFuture<Reply> reply : replies) {
                Await.done(reply.handle((_, _) -> null));
            }
            requireEachAppliedOnce(client, COMMANDS);
        } finally {
            service.close();
        }
    }

    @Test
    void aNumberThatIsTooOldOrNoneIsRefused() throws Exception {
        try (Service service = start();
                ServiceClient client = client(service)) {
            int newest = 40_000;
            int oldest = newest - (1 << 15) + 1;
            client.call(newest, payload(1));
            assertThatThrownBy(() -> client.call(oldest - 1, payload(2)))
                    .isInstanceOfSatisfying(
                            ServiceException.class, e -> assertThat(e.code()).isEqualTo(FailureCode.TOO_OLD));
            client.call(oldest, payload(3));
            assertThatThrownBy(() -> client.send(0, payload(4)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("at least 1, not 0");
        }
    }

    /** On the client's own thread, which receives no answer meanwhile: in the window, and behind it. */
    @Test
    void aNumberThatIsUnderWayIsRefused() throws Exception {
        try (Service service = start();
                ServiceClient client = client(service)) {
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            CompletableFuture<Reply> second = Await.done(onThreadOf(client, () -> {
                replies.add(client.send(1, payload(1)));
                assertThatThrownBy(() -> client.send(1, payload(1)))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("command 1 of this session is under way");
                for (int i = 2; i <= COMMANDS; i++) {
                    replies.add(client.send(i, payload(i)));
                }
                return client.send(COMMANDS, payload(COMMANDS));
            }));
            Await.done(CompletableFuture.allOf(replies.toArray(CompletableFuture<?>[]::new)));
            // Unless the first one was answered before this one had its turn.
            Await.done(second.exceptionally(e -> {
                assertThat(e).isInstanceOf(IllegalStateException.class);
                return null;
            }));
            requireEachAppliedOnce(client, COMMANDS);
        }
    }

    /** The future of a reply may have it already, and would call whoever comes after on his own thread. */
    private static <T> CompletableFuture<T> onThreadOf(ServiceClient client, Supplier<T> action) {
        CompletableFuture<T> done = new CompletableFuture<>();
        client.subscribe(1, new FeedHandler() {
            @Override
            public void onLive() {
                try {
                    done.complete(action.get());
                } catch (RuntimeException | AssertionError e) {
                    done.completeExceptionally(e);
                }
            }

            @Override
            public void onItem(long sequence, int index, MemorySegment memory, long offset, int length) {}
        });
        return done;
    }

    @Test
    void aCommandHasANumberInSuchASessionAndInNoOther() throws Exception {
        try (Service service = start();
                ServiceClient numbered = client(service);
                ServiceClient other = TestClients.connect(service.port())) {
            assertThatThrownBy(() -> numbered.send(payload(1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("send(number, payload)");
            assertThatThrownBy(() -> numbered.trySend(payload(1))).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> other.send(1, payload(1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("only in a client that was built with a session");
            numbered.status();
            assertThat(value(numbered.query(payload(1)).payload())).isZero();
            assertThatThrownBy(() -> ServiceClient.builder("127.0.0.1", 1).session(0))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** More than the window has room for. */
    @Test
    void theOwnThreadOfAClientSendsUnderNumbersToo() throws Exception {
        try (Service service = start();
                ServiceClient client = client(service)) {
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            Await.done(client.send(1, payload(1)).thenAccept(_ -> {
                for (int i = 2; i <= COMMANDS; i++) {
                    replies.add(client.send(i, payload(i)));
                }
            }));
            Await.done(CompletableFuture.allOf(replies.toArray(CompletableFuture<?>[]::new)));
            requireEachAppliedOnce(client, COMMANDS);
        }
    }

    private static void requireEachAppliedOnce(ServiceClient client, int commands) throws Exception {
        List<CompletableFuture<Reply>> again = new ArrayList<>();
        for (int i = 1; i <= commands; i++) {
            again.add(client.send(i, payload(i)));
        }
        for (CompletableFuture<Reply> each : again) {
            // Either the answer that is kept, or that there was one.
            Await.done(each.exceptionally(e -> {
                assertThat(e)
                        .isInstanceOfSatisfying(
                                ServiceException.class,
                                failed -> assertThat(failed.code()).isEqualTo(FailureCode.ALREADY_APPLIED));
                return null;
            }));
        }
        for (int i = 1; i <= commands; i++) {
            assertThat(value(client.query(payload(i)).payload())).as("applied").isEqualTo(1);
        }
    }

    private ServiceClient client(Service service) throws IOException {
        return TestClients.builder(service.port())
                .session(KEY)
                .windowBytes(WINDOW)
                .connect();
    }

    private Service start() throws IOException {
        return start(0);
    }

    private Service start(int port) throws IOException {
        return Service.start(
                ServiceConfig.in(directory)
                        .withAddress(new InetSocketAddress("127.0.0.1", port))
                        .withMaxResponseTime(Duration.ofMinutes(1))
                        .withEvents(ServiceEvents.ignored())
                        .withJournal(JournalConfig.at(Durability.PROCESS)),
                new LedgerMachine());
    }
}
