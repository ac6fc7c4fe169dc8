package io.slipstream.keyvalue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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

/** SLOWLOG over sockets: what it tells of the commands that took long, and that the state knows nothing of it. */
class SlowLogTest {
    private static final String TIMES = "slowlog-log-slower-than";

    @TempDir
    Path folder;

    private RespProtocol protocol;
    private Service service;
    private RespClient client;

    @BeforeEach
    void start() throws IOException {
        protocol = new RespProtocol();
        service = Service.start(
                ServiceConfig.in(folder)
                        .withAddress(new InetSocketAddress("127.0.0.1", 0))
                        .withProtocol(protocol, new InetSocketAddress("127.0.0.1", 0))
                        .withMaxResponseTime(Await.RESPONSE)
                        .withEvents(ServiceEvents.ignored())
                        .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 22)),
                () -> new KeyValueStore(protocol.slowLog()));
        client = new RespClient(new Socket("127.0.0.1", service.port(protocol)));
    }

    @AfterEach
    void stop() throws Exception {
        end();
        TestService.assertReplays(folder, KeyValueStore::new);
    }

    private void end() throws Exception {
        client.close();
        service.close();
    }

    private void logAll() throws IOException {
        client.call("CONFIG", "SET", TIMES, "0");
        client.call("SLOWLOG", "RESET");
    }

    /** Returns the words of the last {@code count} entries, the last one first, without the call that asks. */
    private List<Object> words(int count) throws IOException {
        return ((List<?>) client.call("SLOWLOG", "GET", "" + count))
                .stream().map(each -> (Object) ((List<?>) each).get(3)).toList();
    }

    @Test
    void tellsWhoAskedForWhatAndHowLongItTook() throws IOException {
        client.call("CLIENT", "SETNAME", "worker");
        client.call("CONFIG", "SET", TIMES, "0");
        client.call("SET", "key", "value");
        List<?> entry = (List<?>) ((List<?>) client.call("SLOWLOG", "GET", "1")).getFirst();
        assertThat(entry).hasSize(6);
        assertThat((Long) entry.get(0)).isNotNegative();
        assertThat((Long) entry.get(1)).isCloseTo(System.currentTimeMillis() / 1000, within(600L));
        assertThat((Long) entry.get(2)).isNotNegative();
        assertThat(entry.get(3)).isEqualTo(List.of("set", "key", "value"));
        assertThat(entry.get(4)).isEqualTo("127.0.0.1:" + client.localPort());
        assertThat(entry.get(5)).isEqualTo("worker");
    }

    @Test
    void tellsTheLastOnesFirstAndKeepsAsManyAsIsSet() throws IOException {
        logAll();
        for (int i = 0; i < 20; i++) {
            client.call("SET", "key", "" + i);
        }
        client.call("PING");
        assertThat(words(2)).isEqualTo(List.of(List.of("ping"), List.of("set", "key", "19")));
        assertThat((List<?>) client.call("SLOWLOG", "GET")).hasSize(10);
        assertThat((List<?>) client.call("SLOWLOG", "GET", "0")).isEmpty();
        client.call("CONFIG", "SET", "slowlog-max-len", "3");
        client.call("GET", "key");
        assertThat(client.call("SLOWLOG", "LEN")).isEqualTo(3L);
        assertThat((List<?>) client.call("SLOWLOG", "GET", "-1")).hasSize(3);
        assertThat(client.call("SLOWLOG", "GET", "-2")).isEqualTo("-ERR count should be greater than or equal to -1");
        assertThat((String) client.call("SLOWLOG", "NONE")).startsWith("-ERR unknown subcommand");
        client.call("CONFIG", "SET", TIMES, "-1");
        client.call("SLOWLOG", "RESET");
        client.call("GET", "key");
        client.call("PING");
        assertThat(client.call("SLOWLOG", "LEN")).isEqualTo(0L);
    }

    @Test
    void cutsArgumentsAsRedisDoes() throws IOException {
        logAll();
        String[] many = new String[33];
        many[0] = "SADD";
        for (int i = 1; i < many.length; i++) {
            many[i] = "" + i;
        }
        client.call(many);
        client.call("SET", "key", "A".repeat(129));
        client.call("INFO", "clients");
        List<Object> told = words(3);
        assertThat(told.get(0)).isEqualTo(List.of("info", "clients"));
        assertThat(told.get(1)).isEqualTo(List.of("set", "key", "A".repeat(128) + "... (1 more bytes)"));
        List<?> cut = (List<?>) told.get(2);
        assertThat(cut).hasSize(32);
        assertThat(cut.get(30)).isEqualTo("30");
        assertThat(cut.get(31)).isEqualTo("... (2 more arguments)");
    }

    @Test
    void tellsATransactionByTheNamesOfWhatItDoesAndIsNotTakenWithinOne() throws IOException {
        client.call("MULTI");
        assertThat(client.call("SLOWLOG", "GET")).isEqualTo("-ERR 'slowlog' is not possible within MULTI");
        client.call("DISCARD");
        logAll();
        client.call("MULTI");
        client.call("SET", "key", "1");
        client.call("INCR", "key");
        client.call("EXEC");
        assertThat(words(1)).isEqualTo(List.of(List.of("exec", "set", "incr")));
    }

    @Test
    void keepsItsSettingsAndNoEntryOverAStart() throws Exception {
        client.call("CONFIG", "SET", TIMES, "0", "slowlog-max-len", "7");
        client.call("SET", "key", "value");
        end();
        start();
        assertThat(client.call("CONFIG", "GET", TIMES)).isEqualTo(List.of(TIMES, "0"));
        assertThat(client.call("CONFIG", "GET", "slowlog-max-len")).isEqualTo(List.of("slowlog-max-len", "7"));
        client.call("CONFIG", "SET", TIMES, "-1");
        assertThat(words(10)).doesNotContain(List.of("set", "key", "value"));
        assertThat((String) client.call("CONFIG", "SET", TIMES, "soon")).startsWith("-ERR CONFIG SET failed");
        assertThat((String) client.call("CONFIG", "SET", TIMES, "-2")).startsWith("-ERR CONFIG SET failed");
        assertThat((String) client.call("CONFIG", "SET", "slowlog-max-len", "-1"))
                .startsWith("-ERR CONFIG SET failed");
    }
}
