package io.slipstream.keyvalue;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.keyvalue.resp.Payloads;
import io.slipstream.keyvalue.resp.RedisCommand;
import io.slipstream.service.testing.TestClient;
import io.slipstream.service.testing.TestService;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A store that was saved and loaded goes on as one that was not: the test service compares them behind every command.
 *
 * <p>{@code -Dkeyvalue.commands=1000000} makes it long.
 */
class LoadedStoreTest {
    private static final int COMMANDS = Integer.getInteger("keyvalue.commands", 30_000);

    private final TestService<KeyValueStore> service = TestService.of(KeyValueStore::new);
    private final TestClient client = service.connect();

    private String call(String... words) {
        return call(client, words);
    }

    private static String call(TestClient client, int database, String... words) {
        RedisCommand command = RedisCommand.valueOf(words[0].toUpperCase(Locale.ROOT));
        byte[] payload = Payloads.of(database, command, List.of(words).subList(1, words.length));
        return new String(client.call(payload).payload(), StandardCharsets.ISO_8859_1);
    }

    private static String call(TestClient client, String... words) {
        return call(client, 0, words);
    }

    /** Keys come in thousands, and nearly all go: the table that has grown is not like the one that is loaded. */
    @ParameterizedTest
    @ValueSource(strings = {"noeviction", "allkeys-lru", "volatile-ttl"})
    void expiresAndEvictsTheSameKeysBehindASnapshot(String policy) {
        Random random = new Random(7);
        call("CONFIG", "SET", "maxmemory-policy", policy);
        call("CONFIG", "SET", "maxmemory", policy.equals("noeviction") ? "0" : "900kb");
        for (int i = 0; i < COMMANDS; i++) {
            // The last third goes into three databases.
            int database = i < COMMANDS * 2 / 3 ? 0 : random.nextInt(3);
            boolean isFilling = i / 5_000 % 2 == 0;
            String key = "sess:" + random.nextInt(40_000);
            switch (random.nextInt(5)) {
                case 0 -> call(client, database, "SET", key, "x".repeat(random.nextInt(90)));
                case 1 -> call(client, database, "DEL", key, key + "0");
                default -> {
                    int millis = random.nextInt(1, isFilling ? 600_000 : 3_000);
                    call(client, database, "SET", key, "x".repeat(random.nextInt(90)), "PX", "" + millis);
                }
            }
            if (i % 50 == 0) {
                service.advance(Duration.ofMillis(random.nextInt(isFilling ? 100 : 20_000)));
            }
            if (i % 10_000 == 7_000) {
                service.restartFromSnapshot();
            }
        }
        service.restart();
        service.advance(Duration.ofMinutes(20));
        service.restartFromSnapshot();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void doesAnyCommandTheSameBehindASnapshot(int databases) {
        Random random = new Random(11);
        RandomCommands commands = new RandomCommands(random);
        for (int i = 0; i < COMMANDS; i++) {
            String[] words = commands.next();
            if (isWrite(words)) {
                call(client, random.nextInt(databases), words);
            }
            if (i % 1_000 == 500) {
                service.advance(Duration.ofSeconds(300));
            }
        }
        service.restart();
    }

    private static boolean isWrite(String[] words) {
        return Arrays.stream(RedisCommand.values())
                .filter(command -> command.text().equalsIgnoreCase(words[0]))
                .anyMatch(command -> command.kind() == RedisCommand.Kind.WRITE && command.takes(words.length));
    }

    @Test
    void servesTheSameWaitersBehindASnapshot() {
        Random random = new Random(13);
        List<TestClient> clients = List.of(client, service.connect(), service.connect(), service.connect());
        for (int i = 0; i < COMMANDS / 3; i++) {
            TestClient who = clients.get(random.nextInt(clients.size()));
            String key = "k" + random.nextInt(4);
            String other = "k" + random.nextInt(4);
            String consumer = "c" + random.nextInt(3);
            String timeout = random.nextInt(3) == 0 ? "0" : "0.5";
            if (i % 40 == 0) {
                call(who, "SWAPDB", "0", "1");
            }
            switch (random.nextInt(12)) {
                case 0 -> call(who, "BLPOP", "l" + key, "l" + other, timeout);
                case 1 -> call(who, "BLMOVE", "l" + key, "l" + other, "LEFT", "RIGHT", timeout);
                case 2 -> call(who, "BZPOPMIN", "z" + key, timeout);
                case 3 -> call(who, "RPUSH", "l" + key, "a" + i, "b");
                case 4 -> call(who, "ZADD", "z" + key, "1", "a" + i);
                case 5 -> call(who, "LPOP", "l" + key);
                case 6 ->
                    call(
                            who,
                            "XREAD",
                            "BLOCK",
                            timeout.equals("0") ? "0" : "500",
                            "STREAMS",
                            "x" + key,
                            "x" + other,
                            "$",
                            "1-1");
                case 7 -> call(who, "XREADGROUP", "GROUP", "g", consumer, "BLOCK", "50", "STREAMS", "x" + key, ">");
                case 8 -> call(who, "XADD", "x" + key, "MAXLEN", "20", "*", "field", "value" + i);
                case 9 ->
                    call(
                            who,
                            random.nextInt(9) == 0
                                    ? new String[] {"XGROUP", "DESTROY", "x" + key, "g"}
                                    : new String[] {"XGROUP", "CREATE", "x" + key, "g", "$", "MKSTREAM"});
                case 10 -> call(who, "XAUTOCLAIM", "x" + key, "g", consumer, "200", "0", "COUNT", "2");
                default -> service.advance(Duration.ofMillis(random.nextInt(300)));
            }
            if (i % 1_000 == 999) {
                service.restartFromSnapshot();
            }
        }
        service.restart();
    }

    @Test
    void countsACollectionTheSameThatWasLargeAndHasBecomeSmall() {
        call("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        call("CONFIG", "SET", "maxmemory", "60kb");
        for (int round = 0; round < 40; round++) {
            for (int i = 0; i < 20; i++) {
                List<String> words = new ArrayList<>(List.of("SADD", "set" + i));
                for (int member = 0; member < 60; member++) {
                    words.add("a member of some length " + member);
                }
                call(words.toArray(String[]::new));
                call("SPOP", "set" + i, "32");
            }
            if (round % 10 == 9) {
                service.restartFromSnapshot();
            }
        }
        service.restart();
    }

    @Test
    void keepsTheOrderInWhichAClientHasLeftItsChannels() {
        for (int i = 0; i < 100; i++) {
            call("SUBSCRIBE", "b", "a", "c");
            call("PSUBSCRIBE", "z*", "a*");
            call("PUBLISH", "a", "1");
            assertThat(call("UNSUBSCRIBE")).contains("\r\na\r\n").contains("\r\nc\r\n");
            call("PUNSUBSCRIBE");
        }
    }
}
