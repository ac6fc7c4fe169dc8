package io.slipstream.keyvalue;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.ServiceEvents;
import io.slipstream.service.testing.TestService;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams over sockets: who waits for entries, what a start brings back, and what they count in memory. */
class StreamsTest {
    @TempDir
    Path folder;

    private final RespProtocol protocol = new RespProtocol();
    private Service service;
    private RespClient client;

    @BeforeEach
    void start() throws IOException {
        service = Service.start(
                ServiceConfig.in(folder)
                        .withAddress(new InetSocketAddress("127.0.0.1", 0))
                        .withProtocol(protocol, new InetSocketAddress("127.0.0.1", 0))
                        .withMaxResponseTime(Await.RESPONSE)
                        .withEvents(ServiceEvents.ignored())
                        .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 22)),
                KeyValueStore::new);
        client = connect();
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        service.close();
        TestService.assertReplays(folder, KeyValueStore::new);
    }

    private RespClient connect() throws IOException {
        return new RespClient(new Socket("127.0.0.1", service.port(protocol)));
    }

    private void awaitBlocked(int count) throws Exception {
        Await.until("they wait", () -> ((String) client.call("INFO", "clients")).contains("blocked_clients:" + count));
    }

    private static List<Object> entry(String id, Object... pairs) {
        return List.of(id, List.of(pairs));
    }

    @Test
    void aNewEntryGoesToAllWhoWaitForIt() throws Exception {
        client.call("XADD", "s", "1-1", "a", "1");
        try (RespClient first = connect();
                RespClient second = connect();
                RespClient later = connect()) {
            first.write("XREAD", "BLOCK", "0", "STREAMS", "s", "$");
            first.flush();
            second.write("XREAD", "COUNT", "5", "BLOCK", "0", "STREAMS", "other", "s", "0", "1-1");
            second.flush();
            later.write("XREAD", "BLOCK", "0", "STREAMS", "s", "2-1");
            later.flush();
            awaitBlocked(3);
            assertThat(client.call("XADD", "s", "2-1", "b", "2")).isEqualTo("2-1");
            List<Object> told = List.of(List.of("s", List.of(entry("2-1", "b", "2"))));
            assertThat(first.read()).isEqualTo(told);
            assertThat(second.read()).isEqualTo(told);
            awaitBlocked(1);
            client.call("XADD", "s", "3-1", "c", "3");
            assertThat(later.read()).isEqualTo(List.of(List.of("s", List.of(entry("3-1", "c", "3")))));
        }
    }

    @Test
    void oneOfAGroupGetsEachEntryAndIsToldWhenTheGroupHasGone() throws Exception {
        assertThat(client.call("XGROUP", "CREATE", "s", "g", "$", "MKSTREAM")).isEqualTo("+OK");
        try (RespClient first = connect();
                RespClient second = connect()) {
            first.write("XREADGROUP", "GROUP", "g", "alice", "BLOCK", "0", "STREAMS", "s", ">");
            first.flush();
            awaitBlocked(1);
            second.write("XREADGROUP", "GROUP", "g", "bob", "BLOCK", "0", "STREAMS", "s", ">");
            second.flush();
            awaitBlocked(2);
            client.call("XADD", "s", "1-1", "a", "1");
            assertThat(first.read()).isEqualTo(List.of(List.of("s", List.of(entry("1-1", "a", "1")))));
            client.call("XGROUP", "DESTROY", "s", "g");
            assertThat((String) second.read()).startsWith("-NOGROUP the consumer group");
        }
    }

    /** The group goes with the stream; who reads alone waits for another stream of that name. */
    @Test
    void whoReadsAsAGroupIsToldWhenTheStreamHasGone() throws Exception {
        List<List<List<String>>> ways = List.of(
                List.of(List.of("DEL", "s")),
                List.of(List.of("SET", "s", "v")),
                List.of(List.of("MULTI"), List.of("DEL", "s"), List.of("SADD", "s", "a"), List.of("EXEC")),
                List.of(List.of("RENAME", "s", "t")),
                List.of(List.of("PEXPIRE", "s", "5")),
                List.of(List.of("FLUSHALL")),
                List.of(List.of("FLUSHDB")),
                List.of(List.of("SWAPDB", "0", "1")));
        try (RespClient alone = connect()) {
            alone.write("XREAD", "BLOCK", "0", "STREAMS", "s", "$");
            alone.flush();
            awaitBlocked(1);
            for (List<List<String>> way : ways) {
                client.call("FLUSHALL");
                client.call("XGROUP", "CREATE", "s", "g", "$", "MKSTREAM");
                try (RespClient reader = connect()) {
                    reader.write("XREADGROUP", "GROUP", "g", "alice", "BLOCK", "0", "STREAMS", "other", "s", ">", ">");
                    reader.flush();
                    assertThat((String) reader.read()).startsWith("-NOGROUP");
                    reader.write("XREADGROUP", "GROUP", "g", "alice", "BLOCK", "0", "STREAMS", "s", ">");
                    reader.flush();
                    awaitBlocked(2);
                    for (List<String> each : way) {
                        client.call(each.toArray(String[]::new));
                    }
                    assertThat(reader.read())
                            .as(way.toString())
                            .isEqualTo("-UNBLOCKED the stream key no longer exists");
                    assertThat(reader.call("PING")).isEqualTo("+PONG");
                }
            }
            client.call("FLUSHALL");
            client.call("XADD", "s", "1-1", "a", "1");
            assertThat(alone.read()).isEqualTo(List.of(List.of("s", List.of(entry("1-1", "a", "1")))));
        }
    }

    @Test
    void nobodyWaitsWithinATransactionOrBeyondItsTime() throws Exception {
        client.call("MULTI");
        client.call("XREAD", "BLOCK", "0", "STREAMS", "s", "$");
        assertThat(client.call("EXEC")).isEqualTo(List.of("(nil)"));
        assertThat(client.call("XREAD", "BLOCK", "5", "STREAMS", "s", "$")).isEqualTo("(nil)");
        assertThat((String) client.call("XREAD", "BLOCK", "-1", "STREAMS", "s", "$"))
                .isEqualTo("-ERR timeout is negative");
    }

    @Test
    void whatIsPendingIsThereBehindAStart() throws Exception {
        client.call("XADD", "s", "1-1", "a", "1");
        client.call("XADD", "s", "2-1", "b", "2");
        client.call("XGROUP", "CREATE", "s", "g", "0");
        client.call("XREADGROUP", "GROUP", "g", "alice", "COUNT", "1", "STREAMS", "s", ">");
        Await.done(service.snapshot());
        client.call("XREADGROUP", "GROUP", "g", "bob", "STREAMS", "s", ">");
        client.close();
        service.close();
        start();
        assertThat(client.call("XPENDING", "s", "g"))
                .isEqualTo(List.of(2L, "1-1", "2-1", List.of(List.of("alice", "1"), List.of("bob", "1"))));
        assertThat(client.call("XREADGROUP", "GROUP", "g", "alice", "STREAMS", "s", "0"))
                .isEqualTo(List.of(List.of("s", List.of(entry("1-1", "a", "1")))));
        assertThat(client.call("XACK", "s", "g", "1-1", "2-1", "3-1")).isEqualTo(2L);
    }

    @Test
    void aGroupGoesToTheFirstAndToTheLastOfAllIdsByASign() throws IOException {
        client.call("XADD", "s", "1-1", "a", "1");
        client.call("XGROUP", "CREATE", "s", "g", "$");
        assertThat(client.call("XGROUP", "SETID", "s", "g", "-")).isEqualTo("+OK");
        assertThat(client.call("XREADGROUP", "GROUP", "g", "alice", "STREAMS", "s", ">"))
                .isEqualTo(List.of(List.of("s", List.of(entry("1-1", "a", "1")))));
        assertThat(client.call("XGROUP", "SETID", "s", "g", "+")).isEqualTo("+OK");
        client.call("XADD", "s", "2-1", "a", "2");
        assertThat(client.call("XREADGROUP", "GROUP", "g", "alice", "STREAMS", "s", ">"))
                .isEqualTo("(nil)");
        assertThat((String) client.call("XGROUP", "CREATE", "s", "h", "-")).startsWith("-ERR Invalid stream ID");
    }

    @Test
    void aStreamCountsInMemoryAsLongAsItIsThere() throws Exception {
        long before = used();
        client.call("XGROUP", "CREATE", "s", "g", "0", "MKSTREAM");
        for (int i = 0; i < 100; i++) {
            client.call("XADD", "s", "*", "field", "x".repeat(1000));
        }
        assertThat((Long) client.call("MEMORY", "USAGE", "s")).isBetween(100_000L, 150_000L);
        client.call("XREADGROUP", "GROUP", "g", "alice", "STREAMS", "s", ">");
        assertThat(used() - before).isBetween(110_000L, 180_000L);
        client.call("XTRIM", "s", "MAXLEN", "0");
        client.call("XGROUP", "DESTROY", "s", "g");
        assertThat(client.call("XLEN", "s")).isEqualTo(0L);
        assertThat((Long) client.call("MEMORY", "USAGE", "s")).isLessThan(1_000L);
        client.call("DEL", "s");
        assertThat(used()).isEqualTo(before);
    }

    private long used() throws IOException {
        return ((String) client.call("INFO", "memory"))
                .lines()
                .filter(line -> line.startsWith("used_memory:"))
                .mapToLong(line -> Long.parseLong(line.substring("used_memory:".length())))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void tellsWhatExportersAskFor() throws IOException {
        client.call("SET", "a", "1");
        String info = (String) client.call("INFO");
        assertThat(info)
                .contains("\r\nconnected_clients:1\r\n")
                .contains("\r\nuptime_in_seconds:")
                .containsPattern("\r\ntotal_commands_processed:[1-9]")
                .contains("\r\nused_memory_human:")
                .contains("# Keyspace\r\ndb0:keys=1,");
        assertThat((String) client.call("INFO", "clients"))
                .startsWith("# Clients\r\nblocked_clients:0\r\nconnected_clients:1\r\n")
                .doesNotContain("uptime");
        assertThat(info)
                .containsPattern("\r\n# CPU\r\nused_cpu_sys:0.000000\r\nused_cpu_user:[0-9.]+\r\n")
                .contains("\r\ncluster_enabled:0\r\n")
                .doesNotContain("cmdstat_");
        client.call("GET");
        client.call("SET", "a", "2");
        assertThat((String) client.call("INFO", "commandstats"))
                .startsWith("# Commandstats\r\ncmdstat_get:calls=0,rejected_calls=1\r\n"
                        + "cmdstat_set:calls=2,rejected_calls=0\r\n")
                .doesNotContain("used_memory");
        assertThat((String) client.call("INFO", "everything", "cpu")).containsOnlyOnce("cmdstat_set:");
        client.call("CONFIG", "RESETSTAT");
        assertThat((String) client.call("INFO", "commandstats")).doesNotContain("cmdstat_set:");
        assertThat((String) client.call("CLIENT", "LIST")).contains(" cmd=client|list ");
        assertThat(client.call("LATENCY", "LATEST")).isEqualTo(List.of());
    }
}
