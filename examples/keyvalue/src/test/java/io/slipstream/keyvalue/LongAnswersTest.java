package io.slipstream.keyvalue;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.testing.TestService;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers of more than a frame: nothing that they tell is lost. */
class LongAnswersTest {
    private static final int ELEMENTS = 5_000;
    private static final String LONG = "x".repeat(300 << 10);

    @TempDir
    Path folder;

    private final RespProtocol protocol = new RespProtocol();

    @Test
    void whatIsTakenAwayIsToldHoweverMuchItIs() throws Exception {
        try (Service service = start();
                RespClient client = client(service)) {
            fill(client);
            assertThat(list(client.call("LPOP", "l", "" + ELEMENTS))).hasSize(ELEMENTS);
            assertThat(list(client.call("SPOP", "s", "" + ELEMENTS))).hasSize(ELEMENTS);
            assertThat(list(client.call("ZPOPMIN", "z", "" + ELEMENTS))).hasSize(2 * ELEMENTS);
            assertThat(client.call("EXISTS", "l", "s", "z")).isEqualTo(0L);

            assertThat(client.call("RPUSH", "b", LONG)).isEqualTo(1L);
            assertThat(client.call("LPOP", "b")).isEqualTo(LONG);
            assertThat(client.call("DBSIZE")).isEqualTo(1L);
        }
        TestService.assertReplays(folder, KeyValueStore::new);
    }

    @Test
    void aTransactionMayReadMegabytesAndDeleteThem() throws Exception {
        try (Service service = start();
                RespClient client = client(service)) {
            fill(client);
            for (String[] each : List.of(
                    new String[] {"MULTI"},
                    new String[] {"LRANGE", "l", "0", "-1"},
                    new String[] {"HGETALL", "h"},
                    new String[] {"DEL", "l", "h"})) {
                assertThat(client.call(each)).isIn("+OK", "+QUEUED");
            }
            List<?> answers = list(client.call("EXEC"));
            assertThat(list(answers.get(0))).hasSize(ELEMENTS);
            assertThat(list(answers.get(1))).hasSize(2 * ELEMENTS);
            assertThat(answers.get(2)).isEqualTo(2L);
            assertThat(client.call("EXISTS", "l", "h")).isEqualTo(0L);
            service.snapshot().get(30, TimeUnit.SECONDS);
        }
        try (Service service = start();
                RespClient client = client(service)) {
            assertThat(list(client.call("SMEMBERS", "s"))).hasSize(ELEMENTS);
        }
        TestService.assertReplays(folder, KeyValueStore::new);
    }

    @Test
    void severalLongAnswersComeInTheOrderOfTheRequests() throws Exception {
        try (Service service = start();
                RespClient client = client(service)) {
            fill(client);
            for (int i = 0; i < 4; i++) {
                client.write("HGETALL", "h");
                client.write("PING");
                client.write("LRANGE", "l", "0", "-1");
                client.write("LLEN", "l");
            }
            client.flush();
            for (int i = 0; i < 4; i++) {
                assertThat(list(client.read())).hasSize(2 * ELEMENTS);
                assertThat(client.read()).isEqualTo("+PONG");
                assertThat(list(client.read())).hasSize(ELEMENTS);
                assertThat(client.read()).isEqualTo((long) ELEMENTS);
            }
        }
    }

    @Test
    void whoWaitsAndWhoListensGetsWhatIsLong() throws Exception {
        try (Service service = start();
                RespClient waiter = client(service);
                RespClient listener = client(service);
                RespClient client = client(service)) {
            listener.call("SUBSCRIBE", "news");
            assertThat(client.call("PUBLISH", "news", LONG)).isEqualTo(1L);
            assertThat(listener.read()).isEqualTo(List.of("message", "news", LONG));

            waiter.write("BLPOP", "q", "0");
            waiter.flush();
            String info = "";
            for (int i = 0; i < 100_000 && !info.contains("blocked_clients:1"); i++) {
                info = (String) client.call("INFO", "clients");
            }
            assertThat(client.call("RPUSH", "q", LONG)).isEqualTo(1L);
            assertThat(waiter.read()).isEqualTo(List.of("q", LONG));
            assertThat(waiter.call("LLEN", "q")).isEqualTo(0L);
        }
        TestService.assertReplays(folder, KeyValueStore::new);
    }

    /** An error text amid a value would be taken for a part of it. */
    @Test
    void whoDoesNotReadIsCutOffAndNeverGetsAWrongAnswer() throws Exception {
        int values = 50;
        int times = 10;
        try (Service service = start();
                RespClient slow = client(service);
                RespClient other = client(service)) {
            for (int i = 0; i < values; i++) {
                other.call("RPUSH", "l", i + LONG);
            }
            for (int i = 0; i < times; i++) {
                slow.write("LRANGE", "l", "0", "-1");
            }
            slow.flush();
            slow.awaitFirst();
            // Behind all that was asked for before.
            assertThat(other.call("LLEN", "l")).isEqualTo((long) values);
            int whole = 0;
            try {
                while (true) {
                    List<?> answer = list(slow.read());
                    for (int i = 0; i < values; i++) {
                        assertThat(answer.get(i)).isEqualTo(i + LONG);
                    }
                    whole++;
                }
            } catch (IOException e) {
                assertThat(whole).isLessThan(times);
            }
            assertThat(other.call("LLEN", "l")).isEqualTo((long) values);
        }
    }

    private static void fill(RespClient client) throws IOException {
        List<List<String>> commands = List.of(
                new ArrayList<>(List.of("RPUSH", "l")),
                new ArrayList<>(List.of("SADD", "s")),
                new ArrayList<>(List.of("ZADD", "z")),
                new ArrayList<>(List.of("HSET", "h")));
        for (int i = 0; i < ELEMENTS; i++) {
            String element = i + "_" + "y".repeat(100);
            commands.get(0).add(element);
            commands.get(1).add(element);
            commands.get(2).addAll(Arrays.asList("" + i, element));
            commands.get(3).addAll(Arrays.asList(element, element.repeat(5)));
            if (i % 500 == 499) {
                for (List<String> each : commands) {
                    assertThat(client.call(each.toArray(String[]::new))).isInstanceOf(Long.class);
                    each.subList(2, each.size()).clear();
                }
            }
        }
    }

    private static List<?> list(Object answer) {
        assertThat(answer).isInstanceOf(List.class);
        return (List<?>) answer;
    }

    private Service start() throws IOException {
        return Service.start(
                ServiceConfig.in(folder)
                        .withAddress(new InetSocketAddress("127.0.0.1", 0))
                        .withProtocol(protocol, new InetSocketAddress("127.0.0.1", 0))
                        .withLimits(limits -> limits.withMaxFrameLength(1 << 19))
                        // Ten answers of megabytes take longer than services allow by default.
                        .withMaxResponseTime(Await.RESPONSE)
                        .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 22)),
                KeyValueStore::new);
    }

    private RespClient client(Service service) throws IOException {
        return new RespClient(new Socket("127.0.0.1", service.port(protocol)));
    }
}
