package io.slipstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.http.config.HttpConfig;
import io.slipstream.testkit.Await;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What no honest client sends; an honest one is served meanwhile. */
class HostileTest {
    private static final String HEAD =
            "POST /commands/Deposit HTTP/1.1\r\nHost: localhost\r\n" + "Content-Type: application/json\r\n";

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GOAWAY = 7;

    /** GET http://localhost/live as HPACK: three entries of the static table, and two texts. */
    private static final byte[] GET_LIVE =
            "\u0082\u0086\u0004\u0005/live\u0001\u0009localhost".getBytes(StandardCharsets.ISO_8859_1);

    private static final AtomicLong ACCOUNTS = new AtomicLong(1_000);

    @TempDir
    private static Path usual;

    /** One for all tests that want the usual limits: it has to be unharmed by any number of them. */
    private static BankSite site;

    @TempDir
    Path folder;

    /** Where nobody else deposits. */
    private final long account = ACCOUNTS.incrementAndGet();

    @BeforeAll
    static void open() throws IOException {
        site = BankSite.open(usual);
    }

    @AfterAll
    static void close() {
        site.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}   ",
                "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
                "Content-Length: -1\r\n\r\n",
                "Content-Length: +5\r\n\r\n{}   ",
                "Content-Length: 99999999999999999999\r\n\r\n",
                "Bad Name: x\r\nContent-Length: 2\r\n\r\n{}",
                "Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
                "Host: other\r\nContent-Length: 2\r\n\r\n{}",
            })
    void refusesWhatCouldBeReadInTwoWaysAndClosesTheConnection(String rest) throws Exception {
        assertThat(talk(site, HEAD + rest)).startsWith("HTTP/1.1 400");
        assertUnharmed(site);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "501 | Transfer-Encoding: gzip, chunked",
                "415 | Content-Encoding: gzip",
                "415 | 'Content-Encoding: identity\r\nContent-Encoding: gzip'",
                "400 | Content-Type: application/json",
            })
    void refusesABodyInAFormThatItDoesNotRead(int status, String header) throws Exception {
        String body = BankSite.deposit(account, 100);
        String rest = header.startsWith("Transfer-Encoding")
                ? "\r\n\r\n" + Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n"
                : "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        assertThat(talk(site, HEAD + "Connection: close\r\n" + header + rest)).startsWith("HTTP/1.1 " + status);
        assertUnharmed(site);
    }

    /** It used to close the connection without a word, and the client's next request was lost. */
    @ParameterizedTest
    @ValueSource(strings = {"POST /nowhere", "POST /commands/Deposit", "PUT /live", "GET /openapi.json", "HEAD /live"})
    void saysThatTheConnectionEndsWhenItAnswersBeforeTheBodyHasCome(String line) throws Exception {
        String head = line + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n";
        assertThat(talk(site, head + "\r\n")).startsWith("HTTP/1.1 ").contains("\r\nConnection: close\r\n");
        assertThat(talk(site, head + "\r\n{}" + head + "Connection: close\r\n\r\n{}")
                        .split("HTTP/1.1 "))
                .hasSize(3);
    }

    @Test
    void refusesAnyCharsetButUtf8() throws Exception {
        for (String charset : List.of("utf-16", "\"ISO-8859-1\"", "utf-8;charset=utf-7")) {
            StatusTest.assertProblem(
                    site.send(site.json("/commands/Deposit", BankSite.deposit(account, 100))
                            .setHeader("Content-Type", "application/json; charset=" + charset)),
                    415,
                    "charset");
        }
        assertThat(site.send(site.json("/commands/Deposit", BankSite.deposit(account, 1))
                                .setHeader("Content-Type", "application/json;charset=UTF-8"))
                        .body())
                .contains("\"amount\":1}");
    }

    @Test
    void repeatsNoMoreThanAKilobyteOfWhatWasSent() throws Exception {
        String name = "x".repeat(200_000);
        assertThat(site.post("/commands/Deposit", "{\"" + name + "\":1}").body())
                .contains("\"status\":400")
                .hasSizeLessThan(4_000);
        assertThat(site.get("/" + "y".repeat(5_000)).body())
                .contains("\"status\":404")
                .hasSizeLessThan(4_000);
    }

    @Test
    void answersTheHeadOfAStreamAndHoldsNone() throws Exception {
        for (String path : List.of("/live", "/feeds/7")) {
            assertThat(talk(site, "HEAD " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 200")
                    .contains("text/event-stream");
        }
        assertThat(site.get("/metrics").body()).contains("slipstream_http_streams 0.0\n");
    }

    @Test
    void refusesAHeaderThatIsTooLong() throws Exception {
        assertThat(talk(site, HEAD + "X: " + "x".repeat(20_000) + "\r\n\r\n")).startsWith("HTTP/1.1 431");
        assertUnharmed(site);
    }

    @Test
    void refusesTheNameOfAnotherHostSoThatNoPageOfAnotherSiteGetsIn() throws Exception {
        assertThat(talk(site, "GET /openapi.json HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 421");
    }

    @Test
    void closesAConnectionThatSendsItsRequestByteByByte() throws Exception {
        HttpConfig config = BankSite.config()
                .withLimits(BankSite.LIMITS.withTimes(
                        Duration.ofSeconds(30), Duration.ofMillis(200), Duration.ofSeconds(10)));
        try (BankSite site = BankSite.open(folder, config);
                Socket socket = new Socket("localhost", site.gateway.port())) {
            OutputStream out = socket.getOutputStream();
            out.write("GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nX: ".getBytes(StandardCharsets.US_ASCII));
            assertThat(drip(socket, out)).isTrue();
            assertUnharmed(site);
        }
    }

    @Test
    void closesAConnectionThatSendsItsBodyByteByByte() throws Exception {
        HttpConfig config = BankSite.config()
                .withLimits(BankSite.LIMITS.withTimes(Await.PATIENCE, Duration.ofMillis(200), Await.PATIENCE));
        try (BankSite site = BankSite.open(folder, config);
                Socket socket = new Socket("localhost", site.gateway.port())) {
            OutputStream out = socket.getOutputStream();
            out.write((HEAD + "Content-Length: 100000\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            assertThat(drip(socket, out)).isTrue();
            assertUnharmed(site);
        }
    }

    @Test
    void keepsAnEventStreamOfHttp2WhoseClientSaysThatItReads() throws Exception {
        Duration limit = Duration.ofSeconds(2);
        HttpConfig config =
                BankSite.config().withLimits(BankSite.LIMITS.withTimes(Await.PATIENCE, limit, Await.PATIENCE));
        try (BankSite site = BankSite.open(folder, config);
                Socket socket = new Socket("localhost", site.gateway.port())) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
            frame(out, SETTINGS, 0, 0, new byte[0]);
            frame(out, HEADERS, 0x5, 1, GET_LIVE);
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < limit.multipliedBy(3).toNanos()) {
                int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
                int type = in.readByte();
                in.skipNBytes(5L + length);
                assertThat(type).isNotIn(GOAWAY, RST_STREAM);
                if (type == DATA) {
                    frame(out, PING, 0, 0, new byte[Long.BYTES]);
                }
            }
        }
    }

    private static void frame(DataOutputStream out, int type, int flags, int stream, byte[] payload)
            throws IOException {
        out.writeByte(0);
        out.writeShort(payload.length);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(stream);
        out.write(payload);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[",
                "nul",
                "{\"account\":7",
                "{\"account\":7,\"account\":8,\"amount\":1,\"note\":\"\"}",
                "{\"account\":1e400,\"amount\":1,\"note\":\"\"}",
                "{\"account\":9223372036854775808,\"amount\":1}",
                "{\"account\":7,\"amount\":1,\"note\":\"\",\"extra\":1}",
                "{\"account\":7,\"amount\":1,\"note\":\"\"} {}",
                "{\"account\":7,\"amount\":1,\"note\":\"123456789012345678901\"}",
                "{\"account\":7,\"amount\":1,\"note\":null}",
                "\ufeff{\"account\":7,\"amount\":1,\"note\":\"\"}",
            })
    void refusesJsonThatIsNotExactlyOneCommand(String json) throws Exception {
        StatusTest.assertProblem(site.post("/commands/Deposit", json), 400, "invalid");
        StatusTest.assertProblem(site.post("/commands/Deposit", "[".repeat(100_000)), 400, "invalid");
        assertUnharmed(site);
    }

    private void assertUnharmed(BankSite site) throws Exception {
        assertThat(site.post("/commands/Deposit", BankSite.deposit(account, 1)).body())
                .contains("\"amount\":1}");
    }

    /** Sends a byte at a time until the other side has had enough. */
    static boolean drip(Socket socket, OutputStream out) throws IOException {
        socket.setSoTimeout(20);
        while (true) {
            try {
                out.write('x');
                if (socket.getInputStream().read() < 0) {
                    return true;
                }
            } catch (java.net.SocketTimeoutException e) {
                // Not yet.
            } catch (SocketException | SSLException e) {
                return true;
            }
        }
    }

    private static String talk(BankSite site, String request) throws IOException {
        try (Socket socket = new Socket("localhost", site.gateway.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
