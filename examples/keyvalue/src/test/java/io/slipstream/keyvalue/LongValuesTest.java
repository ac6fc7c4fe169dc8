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
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values of megabytes, where the frames are set to be so long. */
class LongValuesTest {
    /** Of a string, the headers of an answer are left. */
    private static final int LEFT = 48 + 64;

    private static final String TOO_LONG = "-ERR string exceeds maximum allowed size (proto-max-bulk-len)";

    @TempDir
    Path folder;

    private final RespProtocol protocol = new RespProtocol();

    private Service start(int valueBytes) throws IOException {
        return Service.start(
                ServiceConfig.in(folder)
                        .withAddress(new InetSocketAddress("127.0.0.1", 0))
                        .withProtocol(protocol, new InetSocketAddress("127.0.0.1", 0))
                        .withEvents(ServiceEvents.ignored())
                        .withMaxResponseTime(Await.RESPONSE)
                        .withJournal(JournalConfig.at(Durability.PROCESS).withSegmentBytes(2 * valueBytes))
                        .withLimits(limits -> limits.withMaxUnreadBytes(1 << 26)
                                .withRings(Math.min(8 * valueBytes, 1 << 28), 1 << 23)
                                .withMaxFrameLength(valueBytes + (1 << 16))),
                KeyValueStore::new);
    }

    private RespClient client(Service service) throws IOException {
        return new RespClient(new Socket("127.0.0.1", service.port(protocol)));
    }

    private static String text(int length) {
        StringBuilder text = new StringBuilder(length);
        while (text.length() < length) {
            text.append(text.length()).append(' ');
        }
        text.setLength(length);
        return text.toString();
    }

    @Test
    void takesAndTellsAValueOf64MegabytesAlsoBehindAStart() throws Exception {
        String value = text((1 << 26) - LEFT);
        try (Service service = start(1 << 26);
                RespClient client = client(service)) {
            assertThat(client.call("SET", "long", value)).isEqualTo("+OK");
            assertThat(client.call("GET", "long").equals(value)).isTrue();
            assertThat(client.call("STRLEN", "long")).isEqualTo((long) value.length());
            assertThat(client.call("APPEND", "long", "x")).isEqualTo(TOO_LONG);
            assertThat(client.call("SET", "short", value + "x")).isEqualTo(TOO_LONG);
            assertThat((String) client.call("SET", "short", value + "x".repeat(1 << 17)))
                    .startsWith("-ERR the command has 67");
            assertThat(client.call("EXISTS", "short")).isEqualTo(0L);
            assertThat(client.call("SET", "long", "now short")).isEqualTo("+OK");
            assertThat(client.call("SET", "long", value)).isEqualTo("+OK");
        }
        try (Service service = start(1 << 26);
                RespClient client = client(service)) {
            assertThat(client.call("GET", "long").equals(value)).isTrue();
        }
        TestService.assertReplays(folder, KeyValueStore::new);
    }

    @Test
    void takesNoElementOrKeyThatItCouldNeverTell() throws Exception {
        String longest = text((1 << 26) - LEFT);
        try (Service service = start(1 << 26);
                RespClient client = client(service)) {
            assertThat(client.call("RPUSH", "list", longest + "x")).isEqualTo(TOO_LONG);
            assertThat(client.call("SET", longest + "x", "value")).isEqualTo(TOO_LONG);
            assertThat(client.call("DBSIZE")).isEqualTo(0L);
            assertThat(client.call("SET", longest, "value")).isEqualTo("+OK");
            assertThat(client.call("SCAN", "0").equals(List.of("0", List.of(longest))))
                    .isTrue();
            assertThat(client.call("DEL", longest)).isEqualTo(1L);
            assertThat(client.call("RPUSH", "list", longest)).isEqualTo(1L);
            assertThat(client.call("LPOP", "list").equals(longest)).isTrue();
        }
    }

    @Test
    void boundsWhatEveryCommandMakes() throws Exception {
        int most = (1 << 22) - LEFT;
        String half = text(most / 2);
        try (Service service = start(1 << 22);
                RespClient client = client(service)) {
            long before = used(client);
            assertThat(client.call("CONFIG", "GET", "proto-max-bulk-len"))
                    .isEqualTo(List.of("proto-max-bulk-len", "" + most));
            assertThat(client.call("MSET", "a", half, "b", half)).isEqualTo("+OK");
            assertThat(client.call("APPEND", "a", half)).isEqualTo((long) most);
            assertThat(client.call("APPEND", "a", "x")).isEqualTo(TOO_LONG);
            assertThat(client.call("SETRANGE", "c", "" + (most - 1), "x")).isEqualTo((long) most);
            assertThat(client.call("SETRANGE", "c", "" + most, "x")).isEqualTo(TOO_LONG);
            assertThat(client.call("SETBIT", "d", "" + (8L * most - 1), "1")).isEqualTo(0L);
            assertThat((String) client.call("SETBIT", "d", "" + 8L * most, "1")).startsWith("-ERR bit offset");
            assertThat(client.call("RPUSH", "list", half, "x")).isEqualTo(2L);
            assertThat(client.call("LPOP", "list").equals(half)).isTrue();
            client.call("MULTI");
            assertThat(client.call("SET", "e", half)).isEqualTo("+QUEUED");
            assertThat(client.call("APPEND", "e", "y".repeat(most - half.length())))
                    .isEqualTo("+QUEUED");
            assertThat((String) client.call("APPEND", "e", "z".repeat(1 << 17))).contains("the transaction has more");
            assertThat((String) client.call("EXEC")).startsWith("-EXECABORT");
            client.call("MULTI");
            client.call("SET", "e", half);
            client.call("APPEND", "e", "y".repeat(most - half.length()));
            assertThat(client.call("EXEC")).isEqualTo(List.of("+OK", (long) most));
            assertThat(client.call("DEL", "a", "b", "c", "d", "e", "list")).isEqualTo(6L);
            assertThat(used(client)).isEqualTo(before);
        }
        TestService.assertReplays(folder, KeyValueStore::new);
    }

    @Test
    void servesOthersWhileManySendHalfAValue() throws Exception {
        int length = 1 << 24;
        byte[] begin =
                ("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$" + (length - LEFT) + "\r\n").getBytes(StandardCharsets.US_ASCII);
        List<Socket> halves = new ArrayList<>();
        String value = text(length - LEFT);
        try (Service service = start(length);
                RespClient witness = client(service)) {
            for (int i = 0; i < 100; i++) {
                Socket half = new Socket("127.0.0.1", service.port(protocol));
                halves.add(half);
                try {
                    OutputStream out = half.getOutputStream();
                    out.write(begin);
                    out.write(new byte[length - 1_000]);
                    out.flush();
                } catch (IOException e) {
                    // It was one too many.
                }
                if (i % 10 == 0) {
                    assertThat(witness.call("SET", "w", "" + i)).isEqualTo("+OK");
                }
            }
            assertThat(witness.call("SET", "long", value)).isEqualTo("+OK");
            assertThat(witness.call("GET", "long").equals(value)).isTrue();
            assertThat(witness.call("EXISTS", "k")).isEqualTo(0L);
        } finally {
            for (Socket half : halves) {
                half.close();
            }
        }
    }

    private static long used(RespClient client) throws IOException {
        return ((String) client.call("INFO", "memory"))
                .lines()
                .filter(line -> line.startsWith("used_memory:"))
                .mapToLong(line -> Long.parseLong(line.substring("used_memory:".length())))
                .findFirst()
                .orElseThrow();
    }
}
