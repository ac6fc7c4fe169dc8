package io.slipstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.counters.Counters;
import io.slipstream.http.api.Api;
import io.slipstream.http.config.HttpLimits;
import io.slipstream.http.config.Upstream;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.ServiceEvents;
import io.slipstream.service.security.AccessFile;
import io.slipstream.service.security.Tls;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.Certificates;
import io.slipstream.testkit.CuttingProxy;
import io.slipstream.testkit.Ports;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service that asks who its clients are, and that counts. */
class UpstreamTest {
    private static final String TOKEN = "a-long-secret";

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void logsInWithItsTokenForPlainAndForKeyedCommands() throws Exception {
        try (Service service = secured();
                HttpGateway gateway = HttpGateway.start(
                        BankSite.config(),
                        Api.of(Bank.CONTRACT),
                        upstream(service).withToken(TOKEN))) {
            assertThat(deposit(gateway, null).statusCode()).isEqualTo(200);
            assertThat(deposit(gateway, "desk/1").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void speaksTlsToTheServiceForPlainAndForKeyedCommands() throws Exception {
        Certificates certificates = new Certificates(folder);
        Path certificate = certificates.selfSigned("bank");
        try (Service service = Service.start(
                        ServiceConfig.in(folder.resolve("bank"))
                                .withMaxResponseTime(Await.RESPONSE)
                                .withTls(Tls.server(certificate, certificates.key("bank"))),
                        new Bank());
                HttpGateway gateway = HttpGateway.start(
                        BankSite.config(),
                        Api.of(Bank.CONTRACT),
                        upstream(service).withTls(Tls.client(certificate)))) {
            assertThat(deposit(gateway, null).statusCode()).isEqualTo(200);
            assertThat(deposit(gateway, "desk/1").body())
                    .isEqualTo(deposit(gateway, "desk/1").body());
            assertThat(deposit(gateway, "desk/2").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void isNotReadyWithoutTheToken() throws Exception {
        try (Service service = secured();
                HttpGateway gateway = HttpGateway.start(BankSite.config(), Api.of(Bank.CONTRACT), upstream(service))) {
            assertThat(deposit(gateway, "desk/1").statusCode()).isGreaterThanOrEqualTo(500);
            assertThat(get(gateway, "/ready").statusCode()).isEqualTo(503);
        }
    }

    @Test
    void saysThatTheServiceDoesNotLetItInAndAsksNoClientForAToken() throws Exception {
        try (HttpGateway gateway = HttpGateway.listen(BankSite.config(), Api.of(Bank.CONTRACT), null)) {
            gateway.replaying(8, 8);
            try (Service service = secured()) {
                gateway.connect(upstream(service));
                HttpResponse<String> refused = deposit(gateway, null);
                StatusTest.assertProblem(refused, 503, "unavailable");
                assertThat(refused.body()).contains("the service does not let this gateway in", "a token");
                Await.until("health says why", () -> {
                    String health = get(gateway, "/health").body();
                    return health.contains("wants a token") && !health.contains("replay");
                });
            }
        }
    }

    @Test
    void saysTheSameOfAKeyedAndOfAPlainCommandIfItsTokenIsWrongAndDoesNotTryAllTheTime() throws Exception {
        AtomicInteger logins = new AtomicInteger();
        long begin = System.nanoTime();
        try (Service service = secured(new ServiceEvents() {
                    @Override
                    public void onLoginRefused(String remote, String reason) {
                        logins.incrementAndGet();
                    }
                });
                HttpGateway gateway = HttpGateway.start(
                        BankSite.config(),
                        Api.of(Bank.CONTRACT),
                        upstream(service).withToken("another"))) {
            for (int i = 1; i <= 50; i++) {
                assertNotLetIn(gateway, "a token or a certificate that is valid", "desk/" + i);
            }
        }
        // The gateway has three ways in, each of which tries again after two seconds at the soonest.
        assertThat((long) logins.get()).isBetween(1L, 3 * (1 + (System.nanoTime() - begin) / 2_000_000_000));
    }

    @Test
    void saysTheSameOfAKeyedAndOfAPlainCommandIfItDoesNotTrustTheService() throws Exception {
        Certificates certificates = new Certificates(folder);
        Path certificate = certificates.selfSigned("bank");
        Path other = certificates.selfSigned("other");
        try (Service service = Service.start(
                        ServiceConfig.in(folder.resolve("bank"))
                                .withMaxResponseTime(Await.RESPONSE)
                                .withTls(Tls.server(certificate, certificates.key("bank"))),
                        new Bank());
                HttpGateway gateway = HttpGateway.start(
                        BankSite.config(),
                        Api.of(Bank.CONTRACT),
                        upstream(service).withTls(Tls.client(other)))) {
            assertNotLetIn(gateway, "no TLS with localhost:" + service.port(), "desk/1");
        }
    }

    private void assertNotLetIn(HttpGateway gateway, String why, String key) throws Exception {
        HttpResponse<String> keyed = deposit(gateway, key);
        StatusTest.assertProblem(keyed, 503, "unavailable");
        assertThat(keyed.body())
                .contains("\"title\":\"Not available\"", "the service does not let this gateway in", why);
        assertThat(deposit(gateway, null).body()).isEqualTo(keyed.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "desk/1"})
    void saysThatTheOutcomeIsUnknownAsSoonAsTheConnectionIsLost(String idempotencyKey) throws Exception {
        String key = idempotencyKey.isEmpty() ? null : idempotencyKey;
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1) {
            @Override
            public void await() throws InterruptedException {
                begun.countDown();
                super.await();
            }
        };
        BlockingQueue<HttpResponse<String>> answers = new LinkedBlockingQueue<>();
        HttpLimits limits = BankSite.LIMITS.withTimes(Await.PATIENCE, Await.PATIENCE, Await.PATIENCE.multipliedBy(2));
        try (Service service = Service.start(
                        ServiceConfig.in(folder.resolve("bank")).withMaxResponseTime(Await.RESPONSE), new Bank(gate));
                CuttingProxy proxy = good(service);
                HttpGateway gateway = HttpGateway.start(
                        BankSite.config().withLimits(limits),
                        Api.of(Bank.CONTRACT),
                        new InetSocketAddress("localhost", proxy.port()))) {
            post(gateway, "/commands/Withdraw", "{\"account\":7,\"amount\":9}", null);
            var waiting = Await.inBackground("posting", () -> answers.add(deposit(gateway, key)));
            Await.until("the service works on it", () -> begun.getCount() == 0);
            proxy.die();
            // Long before the gateway would give up an answer.
            HttpResponse<String> unknown = Await.next(answers);
            StatusTest.assertProblem(unknown, 504, "outcome-unknown");
            assertThat(unknown.body())
                    .contains(key == null ? "it may be applied twice" : "Send it again with the same idempotency key");
            Await.done(waiting);
            // One that comes while the connection ends may be told the same.
            HttpResponse<String> unsent = Await.value(
                    "what is not sent is refused", () -> deposit(gateway, key), answer -> answer.statusCode() == 503);
            StatusTest.assertProblem(unsent, 503, "unavailable");
            gate.countDown();
        }
    }

    @Test
    void refusesWhatItCannotSendAndBeginsAFeedWhileThereIsNoService() throws Exception {
        try (HttpGateway gateway = HttpGateway.start(
                BankSite.config(), Api.of(Bank.CONTRACT), new InetSocketAddress("localhost", Ports.free()))) {
            HttpResponse<String> unsent = deposit(gateway, null);
            StatusTest.assertProblem(unsent, 503, "unavailable");
            assertThat(unsent.body()).contains("cannot connect to").doesNotContain("unknown");
            StatusTest.assertProblem(deposit(gateway, "desk/1"), 503, "unavailable");
            HttpResponse<InputStream> feed = client.send(
                    HttpRequest.newBuilder(uri(gateway, "/feeds/7")).build(),
                    HttpResponse.BodyHandlers.ofInputStream());
            feed.body().close();
            assertThat(feed.headers().firstValue("Content-Type")).contains("text/event-stream");
        }
    }

    @Test
    void showsThePageAndWhatTheServiceCounts() throws Exception {
        try (Counters counters = Counters.create(folder.resolve("counters"), 64);
                Service service = Service.start(
                        ServiceConfig.in(folder.resolve("bank")).withMaxResponseTime(Await.RESPONSE),
                        new Bank(),
                        counters);
                HttpGateway gateway = HttpGateway.start(
                        BankSite.config(),
                        Api.of(Bank.CONTRACT),
                        upstream(service).withCounters(counters.file()))) {
            assertThat(get(gateway, "/").body()).contains("<title>", "dashboard.js");
            assertThat(get(gateway, "/dashboard.css").headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).startsWith("text/css"));
            assertThat(get(gateway, "/metrics").body())
                    .contains(
                            "slipstream_count_total{label=\"accepted\",owner=\"commands\"} ",
                            "slipstream_level{label=\"capacity\",owner=\"input ring\"} ");
            HttpResponse<java.io.InputStream> live = client.send(
                    HttpRequest.newBuilder(uri(gateway, "/live")).build(), HttpResponse.BodyHandlers.ofInputStream());
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(live.body(), StandardCharsets.UTF_8))) {
                String line = lines.readLine();
                while (line != null && !(line.contains("\"alive\":true") && line.contains("\"input ring\""))) {
                    line = lines.readLine();
                }
                assertThat(line).startsWith("data: {\"name\":\"").contains("\"sequence\":");
            }
        }
    }

    private Service secured() throws Exception {
        return secured(new ServiceEvents() {});
    }

    private Service secured(ServiceEvents events) throws Exception {
        String digest = HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(TOKEN.getBytes(StandardCharsets.UTF_8)));
        Path access = Files.writeString(folder.resolve("access"), "gateway token " + digest + "\n");
        return Service.start(
                ServiceConfig.in(folder.resolve("bank"))
                        .withMaxResponseTime(Await.RESPONSE)
                        .withAuthenticator(new AccessFile(access))
                        .withEvents(events),
                new Bank());
    }

    private static Upstream upstream(Service service) {
        return Upstream.at(new InetSocketAddress("localhost", service.port()));
    }

    private HttpResponse<String> deposit(HttpGateway gateway, String key) throws Exception {
        return post(gateway, "/commands/Deposit", BankSite.deposit(7, 1), key);
    }

    private HttpResponse<String> post(HttpGateway gateway, String path, String body, String key) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(gateway, path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        return client.send(
                (key == null ? request : request.header("Idempotency-Key", key)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static CuttingProxy good(Service service) throws IOException {
        CuttingProxy proxy = new CuttingProxy(service.port(), 1, 1);
        proxy.beGood();
        return proxy;
    }

    private HttpResponse<String> get(HttpGateway gateway, String path) throws Exception {
        return client.send(HttpRequest.newBuilder(uri(gateway, path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static URI uri(HttpGateway gateway, String path) {
        return URI.create("http://localhost:" + gateway.port() + path);
    }
}
