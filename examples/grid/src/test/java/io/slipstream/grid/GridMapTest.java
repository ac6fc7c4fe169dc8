package io.slipstream.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.grid.Stocks.Add;
import io.slipstream.grid.Stocks.Stock;
import io.slipstream.grid.Stocks.Unknown;
import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.Feed;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.testing.TestService;
import io.slipstream.testkit.Await;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GridMapTest {
    @TempDir
    Path folder;

    private Service service;
    private GridMap<Stock> map;

    @BeforeEach
    void start() throws Exception {
        ServiceConfig config = ServiceConfig.in(folder)
                .withMaxResponseTime(Await.RESPONSE)
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 20));
        service = Service.start(config, Stocks.TYPE::machine);
        map = connect();
    }

    @AfterEach
    void close() throws Exception {
        map.close();
        service.close();
        TestService.assertReplays(folder, Stocks.TYPE::machine);
    }

    @Test
    void losesNoProcessorBetweenThePutsOfOthers() throws Exception {
        int threads = 4;
        int each = 200;
        List<Future<Long>> taken = new ArrayList<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(2 * threads)) {
            for (int thread = 0; thread < threads; thread++) {
                executor.submit(() -> {
                    for (int i = 0; i < each; i++) {
                        map.invoke(new Add("apple", 1));
                    }
                });
                taken.add(executor.submit(() -> {
                    long sum = 0;
                    for (int i = 0; i < each; i++) {
                        Stock former = map.put("apple", new Stock(0));
                        sum += former == null ? 0 : former.count();
                    }
                    return sum;
                }));
            }
        }
        long sum = map.get("apple").count();
        for (Future<Long> part : taken) {
            sum += part.get();
        }
        assertThat(sum).isEqualTo((long) threads * each);
    }

    @Test
    void keepsACopyUpToDateThatBeganLate() throws Exception {
        map.put("apple", new Stock(1));
        map.put("pear", new Stock(2));
        Map<String, Stock> copy = new ConcurrentHashMap<>();
        try (GridMap<Stock> other = connect();
                Feed feed = other.listen((key, former, value) -> {
                    if (value == null) {
                        copy.remove(key, former);
                    } else {
                        copy.put(key, value);
                    }
                })) {
            Await.done(feed.started());
            assertThat(copy).containsOnly(Map.entry("apple", new Stock(1)), Map.entry("pear", new Stock(2)));
            map.remove("apple");
            map.invoke(new Add("pear", 5));
            Await.until("the copy has both changes", () -> copy.equals(Map.of("pear", new Stock(7))));
        }
    }

    @Test
    void refusesAListenerThatCallsAMapAndWaits() throws Exception {
        try (GridMap<Stock> other = connect()) {
            for (GridMap<Stock> called : List.of(map, other)) {
                refuses(() -> called.put("pear", new Stock(1)));
                refuses(() -> called.remove("pear"));
                refuses(() -> called.get("pear"));
                refuses(() -> called.invoke(new Add("pear", 1)));
            }
        }
        assertThat(map.get("pear")).isNull();
    }

    @Test
    void letsAListenerInvokeWithoutWaiting() throws Exception {
        CompletableFuture<Stock> added = new CompletableFuture<>();
        try (Feed feed = map.listen((key, former, value) -> {
            if (key.equals("apple")) {
                map.invokeAsync(new Add("pear", 9)).thenAccept(added::complete);
            }
        })) {
            Await.done(feed.started());
            map.put("apple", new Stock(1));
            assertThat(Await.done(added)).isEqualTo(new Stock(9));
        }
    }

    @Test
    void refusesAProcessorThatTheTypeDoesNotName() {
        assertThatThrownBy(() -> map.invoke(new Unknown("apple")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Unknown is no command or query of stocks");
    }

    private void refuses(Runnable call) throws Exception {
        LinkedBlockingQueue<Throwable> thrown = new LinkedBlockingQueue<>();
        Consumer<Runnable> attempt = action -> {
            try {
                action.run();
                thrown.add(new AssertionError("it was let through"));
            } catch (RuntimeException e) {
                thrown.add(e);
            }
        };
        try (GridMap<Stock> listening = connect();
                Feed feed = listening.listen((key, former, value) -> attempt.accept(call))) {
            Await.done(feed.started());
            map.invokeAsync(new Add("apple", 1));
            assertThat(thrown.poll(Await.PATIENCE.toNanos(), TimeUnit.NANOSECONDS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("a listener may not call a map and wait")
                    .hasMessageContaining("invokeAsync");
        }
    }

    private GridMap<Stock> connect() throws Exception {
        return Stocks.TYPE.connect(
                ServiceClient.builder("localhost", service.port()).timeout(Await.PATIENCE));
    }
}
