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
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryLimitTest {
    private static final String VALUE = "x".repeat(1000);

    @TempDir
    Path folder;

    private final RespProtocol protocol = new RespProtocol();

    private Service start() throws IOException {
        return Service.start(
                ServiceConfig.in(folder)
                        .withAddress(new InetSocketAddress("127.0.0.1", 0))
                        .withProtocol(protocol, new InetSocketAddress("127.0.0.1", 0))
                        .withMaxResponseTime(Await.RESPONSE)
                        .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 22)),
                KeyValueStore::new);
    }

    private RespClient client(Service service) throws IOException {
        return new RespClient(new Socket("127.0.0.1", service.port(protocol)));
    }

    private static long used(RespClient client) throws IOException {
        return ((String) client.call("INFO", "memory"))
                .lines()
                .filter(line -> line.startsWith("used_memory:"))
                .mapToLong(line -> Long.parseLong(line.substring("used_memory:".length())))
                .sum();
    }

    @Test
    void refusesWritesButTakesWhatMakesRoom() throws Exception {
        try (Service service = start();
                RespClient client = client(service)) {
            client.call("CONFIG", "SET", "maxmemory", "100kb");
            int kept = 0;
            while (client.call("SET", "key" + kept, VALUE).equals("+OK")) {
                kept++;
            }
            assertThat(kept).isBetween(50, 110);
            assertThat((String) client.call("RPUSH", "list", "x")).startsWith("-OOM ");
            assertThat(client.call("GET", "key0")).isEqualTo(VALUE);
            assertThat(client.call("DEL", "key0", "key1", "key2", "key3")).isEqualTo(4L);
            assertThat(client.call("SET", "key0", VALUE)).isEqualTo("+OK");
        }
        try (Service service = start();
                RespClient client = client(service)) {
            assertThat(client.call("CONFIG", "GET", "maxmemory")).isEqualTo(List.of("maxmemory", "102400"));
        }
    }

    @Test
    void forgetsWhatWasChangedLongestAgo() throws Exception {
        try (Service service = start();
                RespClient client = client(service)) {
            client.call("CONFIG", "SET", "maxmemory", "200kb", "maxmemory-policy", "allkeys-lru");
            for (int i = 0; i < 1_000; i++) {
                assertThat(client.call("SET", "key" + i, VALUE)).isEqualTo("+OK");
                assertThat(client.call("RPUSH", "list" + i % 3, "x".repeat(20))).isInstanceOf(Long.class);
            }
            assertThat(used(client)).isLessThan(200 * 1024 + 2 * VALUE.length());
            long newer = 0;
            long older = 0;
            for (int i = 0; i < 500; i++) {
                older += (Long) client.call("EXISTS", "key" + i);
                newer += (Long) client.call("EXISTS", "key" + (500 + i));
            }
            assertThat(newer).isGreaterThan(5 * older).isPositive();
            assertThat((String) client.call("INFO")).doesNotContain("evicted_keys:0\r");
        }
        TestService.assertReplays(folder, KeyValueStore::new);
    }

    @Test
    void forgetsWhatExpiresFirstAndNothingThatDoesNotExpire() throws Exception {
        try (Service service = start();
                RespClient client = client(service)) {
            client.call("CONFIG", "SET", "maxmemory", "100kb", "maxmemory-policy", "volatile-ttl");
            for (int i = 0; i < 40; i++) {
                client.call("SET", "stays" + i, VALUE);
            }
            for (int i = 0; i < 200; i++) {
                assertThat(client.call("SET", "goes" + i, VALUE, "EX", Integer.toString(1_000 + i)))
                        .isEqualTo("+OK");
            }
            for (int i = 0; i < 40; i++) {
                assertThat(client.call("EXISTS", "stays" + i)).isEqualTo(1L);
            }
            assertThat(client.call("EXISTS", "goes199")).isEqualTo(1L);
            assertThat(client.call("EXISTS", "goes0", "goes1", "goes2")).isEqualTo(0L);
            Object answer = "+OK";
            for (int i = 0; i < 200 && answer.equals("+OK"); i++) {
                answer = client.call("SET", "more" + i, VALUE);
            }
            assertThat((String) answer).startsWith("-OOM ");
        }
        TestService.assertReplays(folder, KeyValueStore::new);
    }
}
