package io.slipstream.keyvalue;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.keyvalue.resp.Payloads;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.service.testing.TestClient;
import io.slipstream.service.testing.TestService;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What clients hold besides keys is bounded: else a few of them fill the heap, and each start would fill it again, from
 * the log.
 */
class HoldingsTest {
    private static final String WIDE = "x".repeat(1_000);
    private static final int NAMES = 200;
    private static final int MOST_PATTERNS = 10_000;
    private static final int LONGEST_CHANNEL = 1_024;

    private final TestService<KeyValueStore> service =
            TestService.of(KeyValueStore::new).compareLoaded(false);

    private static String call(TestClient client, String command, List<String> words) {
        byte[] payload = Payloads.of(RedisCommand.valueOf(command), words);
        return new String(client.call(payload).payload(), StandardCharsets.ISO_8859_1);
    }

    private static String call(TestClient client, String command, String... words) {
        return call(client, command, List.of(words));
    }

    /** Returns as many names as an answer has room for. */
    private static List<String> names(String command, long of) {
        List<String> words = new ArrayList<>(
                IntStream.range(0, NAMES).mapToObj(i -> of + "." + i + WIDE).toList());
        if (command.equals("BLPOP")) {
            words.add("0");
        }
        return words;
    }

    @ParameterizedTest
    @ValueSource(strings = {"SUBSCRIBE", "WATCH", "BLPOP"})
    void isRefusedBeyondTheBoundUntilSomebodyLeaves(String command) {
        List<TestClient> clients = new ArrayList<>();
        String answer;
        do {
            clients.add(service.connect());
            answer = call(clients.getLast(), command, names(command, clients.size()));
        } while (!answer.startsWith("-"));
        assertThat(answer)
                .startsWith("-ERR too much: what all clients listen to, watch and wait for would take ")
                .contains("at most 67108864");
        service.restartFromSnapshot();
        TestClient refused = clients.getLast();
        assertThat(call(refused, command, names(command, clients.size()))).isEqualTo(answer);
        assertThat(call(refused, "SET", "key", "value")).isEqualTo("+OK\r\n");

        clients.getFirst().close();
        assertThat(call(refused, command, names(command, clients.size()))).doesNotStartWith("-");
    }

    @ParameterizedTest
    @CsvSource({
        "SUBSCRIBE, UNSUBSCRIBE, 300",
        "SUBSCRIBE, RESET, 300",
        "PSUBSCRIBE, PUNSUBSCRIBE, 120",
        "WATCH, UNWATCH, 300",
        "WATCH, DISCARD, 300",
        "BLPOP, BLPOP, 300"
    })
    void canBeHeldAgainOnceItIsGivenBack(String take, String give, int rounds) {
        TestClient client = service.connect();
        for (int i = 0; i < rounds; i++) {
            assertThat(call(client, take, names(take, i))).doesNotStartWith("-");
            if (!give.equals(take)) {
                assertThat(call(client, give)).doesNotStartWith("-");
            }
        }
    }

    /** Each publication is compared with all patterns. */
    @Test
    void hasNoMorePatternsThanAPublicationCanBeComparedWith() {
        TestClient first = service.connect();
        for (int from = 0; from < MOST_PATTERNS; from += 1_000) {
            List<String> patterns =
                    IntStream.range(from, from + 1_000).mapToObj(i -> i + ".*").toList();
            assertThat(call(first, "PSUBSCRIBE", patterns)).endsWith(":" + (from + 1_000) + "\r\n");
        }
        TestClient second = service.connect();
        assertThat(call(second, "PSUBSCRIBE", "other.*"))
                .isEqualTo("-ERR there would be 10001 patterns, and at most 10000 are taken of all clients\r\n");
        assertThat(call(second, "PSUBSCRIBE", "7.*")).doesNotStartWith("-");
        assertThat(call(service.connect(), "PUBLISH", "7.news", "rain")).isEqualTo(":2\r\n");
        call(first, "PUNSUBSCRIBE", "8.*");
        assertThat(call(second, "PSUBSCRIBE", "other.*")).doesNotStartWith("-");
        service.restartFromSnapshot();
        assertThat(call(service.connect(), "PUBLISH", "other.news", "rain")).isEqualTo(":1\r\n");
    }

    @Test
    void hasNoLongChannels() {
        String longest = "c".repeat(LONGEST_CHANNEL);
        TestClient client = service.connect();
        assertThat(call(client, "SUBSCRIBE", "short", longest + "c"))
                .isEqualTo("-ERR the channel has 1025 bytes, and at most 1024 are taken\r\n");
        TestClient other = service.connect();
        assertThat(call(other, "PUBLISH", "short", "rain")).isEqualTo(":0\r\n");
        assertThat(call(other, "PUBLISH", longest + "c", "rain")).startsWith("-ERR the channel has 1025 bytes");
        assertThat(call(client, "SUBSCRIBE", longest)).doesNotStartWith("-");
        assertThat(call(other, "PUBLISH", longest, "rain")).isEqualTo(":1\r\n");
    }
}
