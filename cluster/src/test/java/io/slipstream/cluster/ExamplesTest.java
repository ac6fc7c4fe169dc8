package io.slipstream.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cluster.grid.Grid;
import io.slipstream.exchange.OrderType;
import io.slipstream.exchange.Side;
import io.slipstream.exchange.client.ExchangeClient;
import io.slipstream.exchange.client.ExchangeListener;
import io.slipstream.exchange.service.ExchangeStateMachine;
import io.slipstream.exchange.wire.Role;
import io.slipstream.keyvalue.KeyValueStore;
import io.slipstream.keyvalue.resp.RespProtocol;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The services that users begin with, as members of a cluster. */
class ExamplesTest {
    @Test
    void theExchangeKeepsItsOrdersAndItsFeedWhenItsLeaderDies() throws IOException {
        AtomicInteger trades = new AtomicInteger();
        ExchangeListener listener = new ExchangeListener() {
            @Override
            public void onTrade(
                    long sequence,
                    int instrument,
                    long orderId,
                    Role role,
                    Side side,
                    long tradeId,
                    long price,
                    long quantity,
                    long remaining) {
                trades.incrementAndGet();
            }
        };
        try (Grid grid = Grid.of(3, () -> new ExchangeStateMachine(4, 10_000));
                ExchangeClient client = ExchangeClient.connect(grid.client(), listener)) {
            for (int order = 1; order <= 50; order++) {
                assertThat(client.place(1, order, Side.SELL, OrderType.LIMIT, 100, 1)
                                .isAccepted())
                        .isTrue();
            }
            grid.failOver();
            assertThat(client.order(50)).isPresent();
            assertThat(client.place(1, 51, Side.BUY, OrderType.LIMIT, 100, 50).isAccepted())
                    .isTrue();
            assertThat(client.topOfBook(1).toString()).isNotEmpty();
            assertThat(client.order(50)).isEmpty();
            grid.await("the trades are told", () -> trades.get() >= 50);
            grid.awaitSameState();
        }
    }

    @Test
    void aRedisClientSeesNothingOfTheDeathOfAnotherMember() throws IOException {
        List<RespProtocol> protocols =
                IntStream.range(0, 3).mapToObj(_ -> new RespProtocol()).toList();
        try (Grid grid = Grid.of(
                3,
                KeyValueStore::new,
                config -> config.withService(config.service()
                        .withProtocol(protocols.get(config.id()), new InetSocketAddress("127.0.0.1", 0))))) {
            int leader = grid.awaitLeader();
            int follower = (leader + 1) % 3;
            int other = 3 - leader - follower;
            grid.await("the member lets clients in", () -> grid.member(follower).isPresent());
            try (RespSocket redis = new RespSocket(grid.member(follower).port(protocols.get(follower)))) {
                assertThat(redis.call("SET name before")).isEqualTo("OK");
                for (int i = 1; i <= 20; i++) {
                    assertThat(redis.call("INCR count")).isEqualTo(Integer.toString(i));
                }
                grid.kill(leader);
                for (int i = 21; i <= 40; i++) {
                    assertThat(redis.call("INCR count")).isEqualTo(Integer.toString(i));
                }
                assertThat(redis.call("GET name")).isEqualTo("before");
                try (RespSocket there = new RespSocket(grid.member(other).port(protocols.get(other)))) {
                    assertThat(there.call("GET count")).isEqualTo("40");
                }
            }
            grid.start(leader);
            grid.awaitSameState();
        }
    }
}
