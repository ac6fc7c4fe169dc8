package io.slipstream.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.grid.Stocks.Add;
import io.slipstream.grid.Stocks.Break;
import io.slipstream.grid.Stocks.Chat;
import io.slipstream.grid.Stocks.Clear;
import io.slipstream.grid.Stocks.Forget;
import io.slipstream.grid.Stocks.Stock;
import io.slipstream.service.testing.TestClient;
import io.slipstream.service.testing.TestService;
import io.slipstream.service.typed.Command;
import io.slipstream.service.typed.RejectedException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each test ends with a replay of its log and with a load of its snapshot, which must lead to the same state. */
class GridMachineTest {
    private final TestService<GridMachine<Stock>> service = TestService.of(Stocks.TYPE::machine);
    private final TestClient client = service.connect();

    @AfterEach
    void close() {
        service.restart();
        service.restartFromSnapshot();
        service.close();
    }

    @Test
    void answersWithTheFormerValue() {
        assertThat(put("apple", 3)).isNull();
        assertThat(put("apple", 4)).isEqualTo(new Stock(3));
        assertThat(value(client.call(new Remove("apple")))).isEqualTo(new Stock(4));
        assertThat(get("apple")).isNull();
        assertThat(value(client.call(new Remove("apple")))).isNull();
    }

    @Test
    void runsProcessorsOnOneEntry() {
        put("apple", 3);
        put("pear", 3);
        assertThat(client.call(new Add("apple", 4))).isEqualTo(new Stock(7));
        assertThat(client.call(new Clear("pear"))).isEqualTo(new Stock(3));
        assertThat(get("apple")).isEqualTo(new Stock(7));
        assertThat(get("pear")).isNull();
    }

    @ParameterizedTest
    @MethodSource("brokenProcessors")
    void leavesAnEntryAsItWasWhenItsProcessorFails(Command<?> broken, String why) {
        put("apple", 3);
        long hash = service.stateHash();
        client.subscribe(GridMachine.CHANGES);
        client.items(GridMachine.CHANGES);
        assertThatThrownBy(() -> client.call(broken))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining(" of apple: ")
                .hasMessageContaining(why);
        assertThat(get("apple")).isEqualTo(new Stock(3));
        assertThat(service.stateHash()).isEqualTo(hash);
        assertThat(client.items(GridMachine.CHANGES)).isEmpty();
    }

    static List<Object[]> brokenProcessors() {
        return List.of(
                new Object[] {new Break("apple"), "out of order"},
                new Object[] {new Chat("apple"), "text"},
                new Object[] {new Forget("apple"), "null"});
    }

    @Test
    void refusesBytesThatAreNoValueOfTheMap() {
        assertThatThrownBy(() -> client.call(new Put("apple", new byte[3])))
                .isInstanceOf(RejectedException.class)
                .hasMessageStartingWith("the value is none of this map: ");
        assertThat(get("apple")).isNull();
    }

    @Test
    void tellsListenersAllEntriesAndThenEachChange() {
        put("pear", 1);
        put("apple", 2);
        client.subscribe(GridMachine.CHANGES);
        assertThat(changes()).containsExactly("apple null Stock[count=2]", "pear null Stock[count=1]");
        client.call(new Add("apple", 5));
        client.call(new Remove("pear"));
        client.call(new Remove("pear"));
        assertThat(changes()).containsExactly("apple Stock[count=2] Stock[count=7]", "pear Stock[count=1] null");
    }

    @Test
    void hasTheSameHashInWhateverOrderEntriesCame() {
        put("apple", 1);
        put("pear", 2);
        long hash = service.stateHash();
        client.call(new Remove("apple"));
        assertThat(service.stateHash()).isNotEqualTo(hash);
        put("apple", 1);
        assertThat(service.stateHash()).isEqualTo(hash);
    }

    private List<String> changes() {
        return client.items(GridMachine.CHANGES).stream()
                .map(Changed.class::cast)
                .map(changed -> changed.key() + " " + Stocks.TYPE.decode(changed.former()) + " "
                        + Stocks.TYPE.decode(changed.value()))
                .toList();
    }

    private Stock put(String key, long count) {
        return value(client.call(new Put(key, Stocks.TYPE.encode(new Stock(count)))));
    }

    private Stock get(String key) {
        return value(client.query(new Get(key)));
    }

    private static Stock value(Value value) {
        return Stocks.TYPE.decode(value.bytes());
    }
}
