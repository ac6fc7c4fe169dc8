package io.slipstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.http.api.Api;
import io.slipstream.http.config.HttpConfig;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.Threading;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnblockedTest {
    private static final int BATCH = 1_000;

    @TempDir
    Path folder;

    @Test
    void answersWhatNeedsNoServiceWhileMoreWaitsThanTheWindowHolds() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        HttpConfig config = BankSite.config().withLimits(BankSite.LIMITS.withPending(100_000));
        try (BankSite site = BankSite.open(settings(), config, gate)) {
            List<CompletableFuture<HttpResponse<String>>> batches =
                    IntStream.range(0, 60).mapToObj(_ -> deposits(site)).toList();
            assertThat(site.get("/openapi.json").statusCode()).isEqualTo(200);
            assertThat(site.get("/metrics").body()).contains("slipstream_http_pending_bytes ");
            assertThat(batches).noneMatch(CompletableFuture::isDone);
            gate.countDown();
            long done = batches.stream()
                    .flatMap(batch -> batch.join().body().lines())
                    .filter(line -> line.contains("\"status\":200"))
                    .count();
            // The service refuses what would wait for too long.
            assertThat(done).isPositive();
            assertThat(site.post("/queries/BalanceOf", "{\"account\":7}").body())
                    .contains("\"amount\":" + done + "}");
        } finally {
            gate.countDown();
        }
    }

    @Test
    void answersWhatNeedsNoServiceWhileCommandsWithKeysCannotReachTheirs() throws Exception {
        List<Socket> filling = new ArrayList<>();
        try (ServerSocket full = new ServerSocket(0, 1);
                HttpGateway gateway = HttpGateway.start(
                        BankSite.config(),
                        Api.of(Bank.CONTRACT),
                        new InetSocketAddress("localhost", full.getLocalPort()));
                HttpClient client = HttpClient.newHttpClient()) {
            fill(full, filling);
            String site = "http://localhost:" + gateway.port();
            List<CompletableFuture<HttpResponse<String>>> commands = IntStream.range(0, 60)
                    .mapToObj(each -> client.sendAsync(
                            HttpRequest.newBuilder(URI.create(site + "/commands/Deposit"))
                                    .version(HttpClient.Version.HTTP_1_1)
                                    .header("Content-Type", "application/json")
                                    .header("Idempotency-Key", "desk-" + each + "/1")
                                    .POST(HttpRequest.BodyPublishers.ofString(BankSite.deposit(7, 1)))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString()))
                    .toList();
            HttpRequest description =
                    HttpRequest.newBuilder(URI.create(site + "/openapi.json")).build();
            assertThat(client.send(description, HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
            assertThat(commands).noneMatch(CompletableFuture::isDone);
            for (Socket each : filling) {
                each.close();
            }
            commands.forEach(each -> StatusTest.assertProblem(each.join(), 503, "unavailable"));
        }
    }

    /** Fills the queue of connections that nobody accepts, so that the next one gets no answer. */
    private static void fill(ServerSocket full, List<Socket> filling) throws IOException {
        while (true) {
            Socket socket = new Socket();
            filling.add(socket);
            try {
                socket.connect(full.getLocalSocketAddress(), 250);
            } catch (SocketTimeoutException e) {
                return;
            }
        }
    }

    @Test
    void refusesWith503WhatHasMoreBytesThanMayWait() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        HttpConfig config = BankSite.config().withLimits(BankSite.LIMITS.withPendingBytes(20_000));
        try (BankSite site = BankSite.open(settings(), config, gate)) {
            CompletableFuture<HttpResponse<String>> batch = deposits(site);
            Await.until("as much waits as may", () -> pendingBytes(site) > 19_800);
            HttpResponse<String> refused = site.post("/commands/Deposit", BankSite.deposit(7, 1));
            StatusTest.assertProblem(refused, 503, "busy");
            assertThat(refused.headers().firstValue("Retry-After")).contains("1");
            assertThat(refused.body()).contains("may have 20000");
            gate.countDown();
            assertThat(batch.join().body().lines())
                    .hasSize(BATCH)
                    .anyMatch(line -> line.contains("\"status\":200"))
                    .anyMatch(line -> line.contains("\"status\":503"));
        } finally {
            gate.countDown();
        }
    }

    private static int pendingBytes(BankSite site) throws Exception {
        return site.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("slipstream_http_pending_bytes "))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
                .findFirst()
                .orElseThrow();
    }

    /** The service takes everything, so that what waits fills the window. */
    private ServiceConfig settings() {
        return ServiceConfig.in(folder)
                .withThreading(Threading.THREE)
                .withLimits(limits -> limits.withMaxPending(1 << 17))
                .withMaxResponseTime(Duration.ofMinutes(1));
    }

    private static CompletableFuture<HttpResponse<String>> deposits(BankSite site) {
        return site.client()
                .sendAsync(
                        site.json("/commands/Deposit", (BankSite.deposit(7, 1) + "\n").repeat(BATCH))
                                .setHeader("Content-Type", "application/x-ndjson")
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }
}
