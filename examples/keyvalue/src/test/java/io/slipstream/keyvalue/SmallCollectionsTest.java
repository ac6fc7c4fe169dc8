package io.slipstream.keyvalue;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.testing.TestService;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small collections are outside the heap, and go to and fro as they grow and shrink. */
class SmallCollectionsTest {
    @TempDir
    Path folder;

    private final RespProtocol protocol = new RespProtocol();
    private ServiceConfig config;

    @BeforeEach
    void configure() {
        config = ServiceConfig.in(folder)
                .withAddress(new InetSocketAddress("127.0.0.1", 0))
                .withProtocol(protocol, new InetSocketAddress("127.0.0.1", 0))
                .withMaxResponseTime(Duration.ofMinutes(1))
                .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 22));
    }

    @Test
    void growingAndShrinkingKeepsEveryElement() throws Exception {
        try (Service service = Service.start(config, KeyValueStore::new);
                RespClient client = new RespClient(new Socket("127.0.0.1", service.port(protocol)))) {
            TreeSet<String> members = new TreeSet<>();
            for (int length : new int[] {0, 1, 127, 128, 200, 900, 2_000}) {
                members.add("m".repeat(length));
                expect(client, members, "x".repeat(length));
            }
            for (int i = 0; i < 40; i++) {
                members.add("member" + i);
                expect(client, members, "value" + i);
            }
            while (members.size() > 1) {
                String gone = members.pollFirst();
                client.call("SREM", "set", gone);
                client.call("HDEL", "hash", gone);
                client.call("ZREM", "sorted", gone);
                client.call("LREM", "list", "0", gone);
                check(client, members);
            }
        }
        TestService.assertReplays(folder, KeyValueStore::new);
    }

    private static void expect(RespClient client, TreeSet<String> members, String value) throws IOException {
        for (String member : members) {
            client.call("SADD", "set", member);
            client.call("HSET", "hash", member, value);
            client.call("ZADD", "sorted", Integer.toString(value.length()), member);
        }
        client.call("DEL", "list");
        assertThat(client.call(push(members))).isEqualTo((long) members.size());
        check(client, members);
    }

    private static String[] push(TreeSet<String> members) {
        String[] words = new String[2 + members.size()];
        words[0] = "RPUSH";
        words[1] = "list";
        int at = 2;
        for (String member : members) {
            words[at++] = member;
        }
        return words;
    }

    private static void check(RespClient client, TreeSet<String> members) throws IOException {
        List<String> sorted = List.copyOf(members);
        assertThat((List<?>) client.call("SORT", "set", "ALPHA")).isEqualTo(sorted);
        assertThat(((List<?>) client.call("HKEYS", "hash"))
                        .stream().map(String::valueOf).sorted().toList())
                .isEqualTo(sorted);
        assertThat(client.call("ZRANGE", "sorted", "0", "-1")).isEqualTo(sorted);
        assertThat(client.call("LRANGE", "list", "0", "-1")).isEqualTo(sorted);
    }

    @Test
    void theirMemoryIsThatOfTheirRecordsAndThatOfTheLargeIsCounted() throws Exception {
        try (Service service = Service.start(config, KeyValueStore::new);
                RespClient client = new RespClient(new Socket("127.0.0.1", service.port(protocol)))) {
            long before = used(client);
            for (int i = 0; i < 1_000; i++) {
                client.write("HSET", "hash" + i, "name", "value" + i, "count", Integer.toString(i));
            }
            client.flush();
            for (int i = 0; i < 1_000; i++) {
                assertThat(client.read()).isEqualTo(2L);
            }
            assertThat((used(client) - before) / 1_000).isBetween(40L, 120L);
            assertThat((Long) client.call("MEMORY", "USAGE", "hash7")).isBetween(40L, 120L);
            for (int i = 0; i < 100; i++) {
                client.call("SADD", "set", "a member of some length " + i);
            }
            long large = (Long) client.call("MEMORY", "USAGE", "set");
            assertThat(large).isGreaterThan(10_000);
            long full = used(client);
            assertThat(client.call("DEL", "set")).isEqualTo(1L);
            assertThat(full - used(client)).isBetween(large - 100, large + 100);
            client.call("FLUSHALL");
            assertThat(used(client)).isLessThanOrEqualTo(before);
        }
    }

    private static long used(RespClient client) throws IOException {
        String info = (String) client.call("INFO", "memory");
        return info.lines()
                .filter(line -> line.startsWith("used_memory:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
                .sum();
    }
}
