package io.slipstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.http.config.Bearer;
import io.slipstream.http.config.HttpLimits;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.Threading;
import io.slipstream.testkit.Await;
import io.slipstream.testkit.Programs;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every status, as curl and a client in Python see it; skipped where they are not installed. */
class OtherClientsTest {
    private static final String DEPOSIT = "/commands/Deposit";
    private static final String GOOD = BankSite.deposit(7, 1);
    private static final String PYTHON = """
        import sys, urllib.request, urllib.error
        method, url, body = sys.argv[1:4]
        headers = dict(line.split(': ', 1) for line in sys.argv[4:])
        request = urllib.request.Request(url, None if body == '' else body.encode(), headers, method=method)
        try:
            print(urllib.request.urlopen(request).status)
        except urllib.error.HTTPError as error:
            print(error.code)
        """;

    @TempDir
    Path folder;

    enum Client {
        CURL,
        PYTHON;

        private List<String> command(String method, String url, String body, List<String> headers) {
            List<String> command = new ArrayList<>();
            if (this == CURL) {
                command.addAll(List.of("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-X", method));
                headers.forEach(header -> command.addAll(List.of("-H", header)));
                if (!body.isEmpty()) {
                    command.addAll(List.of("--data-binary", body));
                }
                command.add(url);
            } else {
                command.addAll(List.of("python3", "-c", OtherClientsTest.PYTHON, method, url, body));
                command.addAll(headers);
            }
            return command;
        }

        private void require() throws InterruptedException {
            String program = this == CURL ? "curl" : "python3";
            Assumptions.assumeTrue(Programs.has(program), () -> program + " is not installed");
        }
    }

    @ParameterizedTest
    @EnumSource
    void seesEachStatus(Client client) throws Exception {
        client.require();
        try (BankSite site = BankSite.open(
                folder.resolve("plain"), BankSite.config().withLimits(BankSite.LIMITS.withBodyBytes(1_000)))) {
            assertThat(post(client, site, DEPOSIT, GOOD)).isEqualTo(200);
            assertThat(post(client, site, DEPOSIT, "{}")).isEqualTo(400);
            assertThat(post(client, site, "/commands/Nothing", GOOD)).isEqualTo(404);
            assertThat(send(client, site, "GET", DEPOSIT, "")).isEqualTo(405);
            assertThat(post(client, site, "/commands/Withdraw", "{\"account\":7,\"amount\":9}"))
                    .isEqualTo(409);
            assertThat(post(client, site, DEPOSIT, GOOD + " ".repeat(2_000))).isEqualTo(413);
            assertThat(send(client, site, "POST", DEPOSIT, GOOD, "Content-Type: text/plain"))
                    .isEqualTo(415);
            assertThat(send(client, site, "GET", "/health", "", "Host: other.example"))
                    .isEqualTo(200);
            assertThat(send(client, site, "GET", "/", "", "Host: other.example"))
                    .isEqualTo(421);
            assertThat(send(client, site, "GET", "/health", "", "X-Long: " + "x".repeat(9_000)))
                    .isEqualTo(431);
            assertThat(post(client, site, "/commands/Break", "{\"dummy\":1}")).isEqualTo(500);
        }
        try (BankSite site = BankSite.open(
                folder.resolve("tokens"),
                BankSite.config()
                        .withTokens(Map.of("rrr", Bearer.reader("eye")))
                        .withLimits(BankSite.LIMITS.withRatePerSecond(1)))) {
            assertThat(post(client, site, DEPOSIT, GOOD)).isEqualTo(401);
            assertThat(post(client, site, DEPOSIT, GOOD, "Authorization: Bearer rrr"))
                    .isEqualTo(403);
            assertThat(statusBesideOneWhoAsksAllTheTime(client, site)).isEqualTo(429);
        }
    }

    /** A program may take longer to start than the second after which one more request is allowed. */
    private static int statusBesideOneWhoAsksAllTheTime(Client client, BankSite site) throws Exception {
        HttpRequest query = site.json("/queries/BalanceOf", "{\"account\":7}")
                .header("Authorization", "Bearer rrr")
                .build();
        AtomicBoolean asks = new AtomicBoolean(true);
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
            while (asks.get()) {
                // The gateway may close a connection whose request it refuses.
                site.client()
                        .sendAsync(query, HttpResponse.BodyHandlers.discarding())
                        .handle((_, _) -> true)
                        .join();
            }
        });
        try {
            int status = 200;
            for (int i = 0; i < 100 && status == 200; i++) {
                status = post(client, site, "/queries/BalanceOf", "{\"account\":7}", "Authorization: Bearer rrr");
            }
            return status;
        } finally {
            asks.set(false);
            other.join();
        }
    }

    @ParameterizedTest
    @EnumSource
    void seesThatTheServiceIsBusyOrSilent(Client client) throws Exception {
        client.require();
        CountDownLatch gate = new CountDownLatch(1);
        HttpLimits one = BankSite.LIMITS.withPending(1);
        try (BankSite site = BankSite.open(
                ServiceConfig.in(folder).withMaxResponseTime(Await.RESPONSE).withThreading(Threading.THREE),
                BankSite.config().withLimits(one.withTimes(one.idle(), one.requestTime(), Duration.ofMillis(500))),
                gate)) {
            site.awaitConnected();
            assertThat(post(client, site, DEPOSIT, GOOD)).as("nobody answers").isEqualTo(504);
            gate.countDown();
        } finally {
            gate.countDown();
        }
        CountDownLatch closed = new CountDownLatch(1);
        try (BankSite site = BankSite.open(
                ServiceConfig.in(folder.resolve("busy")).withThreading(Threading.THREE),
                BankSite.config().withLimits(one),
                closed)) {
            site.client().sendAsync(site.json(DEPOSIT, GOOD).build(), HttpResponse.BodyHandlers.discarding());
            Await.until(
                    "one waits", () -> site.get("/metrics").body().contains("slipstream_http_pending_requests 1.0\n"));
            assertThat(post(client, site, DEPOSIT, GOOD))
                    .as("as many wait as may")
                    .isEqualTo(503);
            closed.countDown();
        } finally {
            closed.countDown();
        }
    }

    private static int post(Client client, BankSite site, String path, String body, String... headers)
            throws Exception {
        List<String> all = new ArrayList<>(List.of("Content-Type: application/json"));
        all.addAll(List.of(headers));
        return send(client, site, "POST", path, body, all.toArray(String[]::new));
    }

    private static int send(Client client, BankSite site, String method, String path, String body, String... headers)
            throws Exception {
        Process process =
                new ProcessBuilder(client.command(method, site.uri(path).toString(), body, List.of(headers))).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        String wrong = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as(client + " " + method + " " + path + ": " + wrong)
                .isZero();
        return Integer.parseInt(said);
    }
}
