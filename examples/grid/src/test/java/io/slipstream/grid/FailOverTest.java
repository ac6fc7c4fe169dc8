package io.slipstream.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cluster.grid.Grid;
import io.slipstream.grid.Stocks.Add;
import io.slipstream.grid.Stocks.Stock;
import io.slipstream.service.client.Feed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class FailOverTest {
    @Test
    void losesNothingAndRepeatsNothingWhenTheLeaderFails() throws Exception {
        Map<String, Stock> copy = new ConcurrentHashMap<>();
        List<Long> heard = new ArrayList<>();
        try (Grid grid = Grid.of(3, Stocks.TYPE::machine);
                GridMap<Stock> map = Stocks.TYPE.connect(grid.client());
                GridMap<Stock> other = Stocks.TYPE.connect(grid.client());
                Feed feed = other.listen((key, former, value) -> {
                    heard.add(value.count());
                    copy.put(key, value);
                })) {
            feed.started().join();
            map.put("pear", new Stock(5));
            List<CompletableFuture<Stock>> replies = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                if (i == 200) {
                    replies.getFirst().join();
                    grid.failOver();
                }
                replies.add(map.invokeAsync(new Add("apple", 1)));
            }
            long expected = 0;
            for (CompletableFuture<Stock> reply : replies) {
                assertThat(reply.join().count()).isEqualTo(++expected);
            }
            assertThat(map.get("apple")).isEqualTo(new Stock(400));
            assertThat(map.get("pear")).isEqualTo(new Stock(5));
            grid.await("the listener has heard all", () -> new Stock(400).equals(copy.get("apple")));
            assertThat(copy).containsOnly(Map.entry("apple", new Stock(400)), Map.entry("pear", new Stock(5)));
            assertThat(heard.subList(1, heard.size())).isSorted().doesNotHaveDuplicates();
            grid.awaitSameState();
        }
    }
}
