package io.slipstream.keyvalue;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.journal.config.Durability;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A scan tells pages, and each element that is there from its beginning to its end. */
class ScanTest {
    private static final int ELEMENTS = 2_000;

    @TempDir
    Path folder;

    private final RespProtocol protocol = new RespProtocol();
    private final Random random = new Random(3);
    private Service service;
    private RespClient client;

    @BeforeEach
    void start() throws IOException {
        service = Service.start(
                ServiceConfig.in(folder)
                        .withAddress(new InetSocketAddress("127.0.0.1", 0))
                        .withProtocol(protocol, new InetSocketAddress("127.0.0.1", 0))
                        .withMaxResponseTime(Duration.ofMinutes(1))
                        .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(1 << 22)),
                KeyValueStore::new);
        client = new RespClient(new Socket("127.0.0.1", service.port(protocol)));
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        service.close();
    }

    /** Half of the elements stay. The others come and go while the scan is under way. */
    @ParameterizedTest
    @CsvSource({"SSCAN, SADD, SREM, 1", "HSCAN, HSET, HDEL, 2", "ZSCAN, ZADD, ZREM, 2"})
    void tellsEachElementThatStays(String scan, String add, String remove, int words) throws IOException {
        for (int i = 0; i < ELEMENTS; i++) {
            add(add, i);
        }
        Set<String> seen = new HashSet<>();
        String cursor = "0";
        int pages = 0;
        do {
            List<?> page = (List<?>) client.call(scan, "key", cursor, "COUNT", "20");
            cursor = (String) page.getFirst();
            List<?> found = (List<?>) page.getLast();
            assertThat(found).hasSizeLessThanOrEqualTo(20 * words);
            for (int i = 0; i < found.size(); i += words) {
                seen.add((String) found.get(i));
            }
            for (int i = 0; i < 10; i++) {
                int element = 2 * random.nextInt(ELEMENTS) + 1;
                if (random.nextBoolean()) {
                    client.call(remove, "key", "element" + element);
                } else {
                    add(add, element);
                }
            }
            pages++;
        } while (!cursor.equals("0"));
        List<String> stayed = new ArrayList<>();
        for (int i = 0; i < ELEMENTS; i += 2) {
            stayed.add("element" + i);
        }
        assertThat(seen).containsAll(stayed);
        assertThat(pages).isGreaterThanOrEqualTo(ELEMENTS / 20);
    }

    private void add(String command, int element) throws IOException {
        String name = "element" + element;
        switch (command) {
            case "SADD" -> client.call(command, "key", name);
            case "HSET" -> client.call(command, "key", name, "value");
            default -> client.call(command, "key", Integer.toString(random.nextInt(100)), name);
        }
    }

    @Test
    void tellsKeysByPages() throws IOException {
        for (int i = 0; i < ELEMENTS; i++) {
            client.call("SET", "key" + i, "value");
        }
        Set<Object> seen = new HashSet<>();
        String cursor = "0";
        do {
            List<?> page = (List<?>) client.call("SCAN", cursor, "COUNT", "20");
            cursor = (String) page.getFirst();
            List<?> found = (List<?>) page.getLast();
            assertThat(found).hasSizeLessThanOrEqualTo(25);
            seen.addAll(found);
            client.call("DEL", "key" + (2 * random.nextInt(ELEMENTS) + 1));
        } while (!cursor.equals("0"));
        for (int i = 0; i < ELEMENTS; i += 2) {
            assertThat(seen).contains("key" + i);
        }
    }

    @Test
    void tellsFewElementsAtOnceInTheOrderInWhichTheyCame() throws IOException {
        for (int i = 0; i < 20; i++) {
            add("HSET", i);
        }
        client.call("HDEL", "key", "element3");
        List<?> page = (List<?>) client.call("HSCAN", "key", "0", "COUNT", "1", "MATCH", "element?");
        assertThat(page.getFirst()).isEqualTo("0");
        assertThat((List<?>) page.getLast()).hasSize(18);
        assertThat(((List<?>) page.getLast()).subList(4, 8))
                .isEqualTo(List.of("element2", "value", "element4", "value"));
    }
}
