package io.slipstream.exchange.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.service.ExchangeStateMachine;
import io.slipstream.exchange.wire.OrderStatus;
import io.slipstream.exchange.wire.Rejection;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.testkit.Allocations;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client and the exchange, over real sockets and a real journal. */
final class ExchangeClientTest {
    @TempDir
    private Path directory;

    @Test
    void twoClientsTradeAndBothAreTold() throws Exception {
        RecordingListener aliceHears = new RecordingListener();
        RecordingListener bobHears = new RecordingListener();
        try (Service service = start(0);
                ExchangeClient alice = connect(service.port(), aliceHears);
                ExchangeClient bob = connect(service.port(), bobHears)) {
            OrderResult resting = alice.place(1, 7, Side.SELL, OrderType.LIMIT, 10_050, 5);
            assertThat(resting)
                    .isEqualTo(new OrderResult(resting.sequence(), 7, OrderStatus.RESTING, Rejection.NONE, 0, 5));
            OrderResult taken = bob.place(1, 8, Side.BUY, OrderType.LIMIT, 10_100, 3);
            assertThat(taken)
                    .isEqualTo(new OrderResult(resting.sequence() + 1, 8, OrderStatus.FILLED, Rejection.NONE, 3, 0));
            assertThat(aliceHears.next()).isEqualTo("MAKER SELL 1:7 trade 1, 3 at 10050, left 2");
            assertThat(bobHears.isEmpty()).as("told before the result").isFalse();
            assertThat(bobHears.next()).isEqualTo("TAKER BUY 1:8 trade 1, 3 at 10050, left 0");
            assertThat(bob.recentTrades(1, 10, 0).trades())
                    .containsExactly(new RecentTrades.Trade(1, 10_050, 3, Side.BUY));
            assertThat(bob.recentTrades(1, 10, 1).trades())
                    .as("nothing since then")
                    .isEmpty();
            assertThat(bob.recentTrades(2, 10, 0).trades())
                    .as("of another instrument")
                    .isEmpty();
            assertThatThrownBy(() -> bob.recentTrades(99, 10, 0)).isInstanceOf(QueryRejectedException.class);
        }
    }

    @Test
    void replacesCancelsAndAsks() throws Exception {
        try (Service service = start(0);
                ExchangeClient client = connect(service.port())) {
            client.place(2, 1, Side.BUY, OrderType.POST_ONLY, 100, 5);
            client.place(2, 2, Side.SELL, OrderType.LIMIT, 105, 6);
            assertThat(client.replace(2, 1, 101, 4).status()).isEqualTo(OrderStatus.RESTING);
            assertThat(client.topOfBook(2)).isEqualTo(new TopOfBook(2, 101, 4, 105, 6));
            Depth depth = client.depth(2, 10);
            assertThat(depth.instrument()).isEqualTo(2);
            assertThat(depth.bids()).containsExactly(new Depth.Level(101, 4, 1));
            assertThat(depth.asks()).containsExactly(new Depth.Level(105, 6, 1));
            assertThat(client.order(1)).contains(new RestingOrder(2, 1, Side.BUY, OrderType.POST_ONLY, 101, 4, 4));
            assertThat(client.cancel(2, 1).status()).isEqualTo(OrderStatus.CANCELLED);
            assertThat(client.order(1)).isEmpty();
        }
    }

    @Test
    void givesFuturesForCommandsThatAreUnderWayTogether() throws Exception {
        try (Service service = start(0);
                ExchangeClient client = connect(service.port())) {
            CompletableFuture<OrderResult> placed = client.placeAsync(1, 1, Side.BUY, OrderType.LIMIT, 100, 5);
            CompletableFuture<OrderResult> replaced = client.replaceAsync(1, 1, 100, 3);
            CompletableFuture<OrderResult> cancelled = client.cancelAsync(1, 1);
            CompletableFuture<OrderResult> refused = client.cancelAsync(1, 1);
            assertThat(Await.done(placed).remaining()).isEqualTo(5);
            assertThat(Await.done(replaced).remaining()).isEqualTo(3);
            assertThat(Await.done(cancelled).status()).isEqualTo(OrderStatus.CANCELLED);
            assertThat(Await.done(refused)).satisfies(result -> {
                assertThat(result.isAccepted()).isFalse();
                assertThat(result.rejection()).isEqualTo(Rejection.UNKNOWN_ORDER);
            });
        }
    }

    @Test
    void tellsTheListenerTheAnswersToWhatWasOffered() throws Exception {
        RecordingListener listener = new RecordingListener();
        try (Service service = start(0);
                ExchangeClient client = connect(service.port(), listener)) {
            assertThat(client.offerPlace(1, 1, Side.BUY, OrderType.LIMIT, 100, 5, 71))
                    .isTrue();
            assertThat(client.offerReplace(1, 1, 100, 3, 72)).isTrue();
            assertThat(client.offerCancel(1, 1, 73)).isTrue();
            assertThat(client.offerCancel(9, 1, 74)).isTrue();
            assertThat(listener.next()).isEqualTo("reply 71: RESTING NONE 1:1 filled 0 remaining 5");
            assertThat(listener.next()).isEqualTo("REDUCED BUY 1:1 at 100, left 3");
            assertThat(listener.next()).isEqualTo("reply 72: RESTING NONE 1:1 filled 0 remaining 3");
            assertThat(listener.next()).isEqualTo("CANCELLED BUY 1:1 at 0, left 3");
            assertThat(listener.next()).isEqualTo("reply 73: CANCELLED NONE 1:1 filled 0 remaining 3");
            assertThat(listener.next()).isEqualTo("reply 74: REJECTED UNKNOWN_INSTRUMENT 9:1 filled 0 remaining 0");
        }
    }

    @Test
    void offersWithoutAllocating() throws Exception {
        AtomicLong answers = new AtomicLong();
        ExchangeListener counting = new ExchangeListener() {
            @Override
            public void onReply(
                    long attachment,
                    long sequence,
                    OrderStatus status,
                    Rejection rejection,
                    int instrument,
                    long orderId,
                    long filled,
                    long remaining) {
                answers.incrementAndGet();
            }

            @Override
            public void onBusy(long attachment, long retryAfterNanos) {
                answers.incrementAndGet();
            }
        };
        try (Service service = start(0);
                ExchangeClient client = connect(service.port(), counting)) {
            AtomicLong offered = new AtomicLong();
            Allocations.none(() -> {
                offer(client, 5_000);
                offered.addAndGet(2 * 5_000);
            });
            Await.until("all answers have come", () -> answers.get() == offered.get());
        }
    }

    @Test
    void theBooksAndTheClientsSurviveARestartOfTheExchange() throws Exception {
        RecordingListener aliceHears = new RecordingListener();
        Service first = start(0);
        int port = first.port();
        try (ExchangeClient alice = connect(port, aliceHears);
                ExchangeClient bob = connect(port)) {
            alice.place(1, 7, Side.SELL, OrderType.LIMIT, 10_050, 5);
            bob.place(1, 8, Side.BUY, OrderType.LIMIT, 10_050, 3);
            bob.place(2, 9, Side.BUY, OrderType.LIMIT, 50, 10);
            assertThat(aliceHears.next()).isEqualTo("MAKER SELL 1:7 trade 1, 3 at 10050, left 2");
            long hash = bob.status().stateHash();
            first.close();
            CompletableFuture<OrderResult> meanwhile = bob.placeAsync(1, 10, Side.BUY, OrderType.LIMIT, 10_000, 1);
            ExchangeStateMachine replica = new ExchangeStateMachine(3, 1_000);
            try (Service second =
                    Service.start(config().withAddress(new InetSocketAddress("127.0.0.1", port)), replica)) {
                assertThat(second.port()).isEqualTo(port);
                assertThat(alice.order(7)).contains(new RestingOrder(1, 7, Side.SELL, OrderType.LIMIT, 10_050, 5, 2));
                assertThat(Await.done(meanwhile).status()).isEqualTo(OrderStatus.RESTING);
                assertThat(bob.cancel(1, 10).isAccepted()).isTrue();
                assertThat(bob.status().stateHash()).isEqualTo(hash);
                assertThat(bob.place(1, 11, Side.BUY, OrderType.MARKET, 0, 2).status())
                        .isEqualTo(OrderStatus.FILLED);
                assertThat(aliceHears.next()).isEqualTo("MAKER SELL 1:7 trade 2, 2 at 10050, left 0");
            }
        }
    }

    @Test
    void aClientThatClosesTakesItsOrdersAlongAndOneThatCrashesDoesNot() throws Exception {
        try (Service service = start(0);
                ExchangeClient watcher = connect(service.port())) {
            ExchangeClient crashing = connect(service.port());
            crashing.place(1, 1, Side.SELL, OrderType.LIMIT, 100, 5);
            crashing.disconnect();
            try (ExchangeClient closing = connect(service.port())) {
                closing.place(1, 1, Side.BUY, OrderType.LIMIT, 90, 5);
                assertThat(watcher.topOfBook(1)).isEqualTo(new TopOfBook(1, 90, 5, 100, 5));
            }
            assertThat(watcher.topOfBook(1)).isEqualTo(new TopOfBook(1, 0, 0, 100, 5));
        }
    }

    @Test
    void saysWhyAQuestionHasNoAnswer() throws Exception {
        try (Service service = start(0);
                ExchangeClient client = connect(service.port())) {
            assertThatThrownBy(() -> client.topOfBook(9))
                    .isInstanceOfSatisfying(
                            QueryRejectedException.class,
                            e -> assertThat(e.rejection()).isEqualTo(Rejection.UNKNOWN_INSTRUMENT));
            assertThatThrownBy(() -> client.depth(9, 1))
                    .isInstanceOf(QueryRejectedException.class)
                    .hasMessageContaining("UNKNOWN_INSTRUMENT");
            assertThatThrownBy(() -> client.depth(1, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("levels must be 1 to 100 but is 0");
        }
    }

    @Test
    void saysThatAServiceIsNoExchange() throws Exception {
        StateMachine other = new StateMachine() {
            @Override
            public void onCommand(Request command, Output output) {}

            @Override
            public void onQuery(Request query, Output output) {}

            @Override
            public long stateHash() {
                return 0;
            }
        };
        try (Service service = Service.start(config(), other);
                ExchangeClient client = connect(service.port())) {
            assertThatThrownBy(() -> client.place(1, 1, Side.BUY, OrderType.LIMIT, 1, 1))
                    .isInstanceOfSatisfying(
                            ServiceException.class, e -> assertThat(e.code()).isEqualTo(FailureCode.MALFORMED))
                    .hasMessageContaining("is the service an exchange");
            assertThatThrownBy(() -> client.topOfBook(1)).isInstanceOf(ServiceException.class);
            assertThatThrownBy(() -> client.depth(1, 1)).isInstanceOf(ServiceException.class);
            assertThatThrownBy(() -> client.order(1)).isInstanceOf(ServiceException.class);
        }
    }

    private Service start(int port) throws IOException {
        return Service.start(
                config().withAddress(new InetSocketAddress("127.0.0.1", port)), new ExchangeStateMachine(3, 1_000));
    }

    private static ExchangeClient connect(int port) throws IOException {
        return connect(port, new ExchangeListener() {});
    }

    private static ExchangeClient connect(int port, ExchangeListener listener) throws IOException {
        return ExchangeClient.connect(ServiceClient.builder("127.0.0.1", port).timeout(Await.PATIENCE), listener);
    }

    private ServiceConfig config() {
        return ServiceConfig.in(directory)
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20));
    }

    private static void offer(ExchangeClient client, int count) {
        for (int i = 0; i < count; i++) {
            while (!client.offerPlace(1, i, Side.BUY, OrderType.LIMIT, 100, 5, i)) {
                Thread.onSpinWait();
            }
            while (!client.offerCancel(1, i, i)) {
                Thread.onSpinWait();
            }
        }
    }
}
