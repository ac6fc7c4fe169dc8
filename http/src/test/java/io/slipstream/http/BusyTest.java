package io.slipstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.http.config.HttpConfig;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.Threading;
import io.slipstream.testkit.Await;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BusyTest {
    @TempDir
    Path folder;

    @Test
    void answers503WithRetryAfterAMomentLaterWhenAsManyWaitAsMay() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        HttpConfig one = BankSite.config().withLimits(BankSite.LIMITS.withPending(1));
        try (BankSite site = BankSite.open(settings(), one, gate)) {
            long begin = System.nanoTime();
            CompletableFuture<HttpResponse<String>> left = post(site, BankSite.deposit(7, 1), "application/json");
            CompletableFuture<HttpResponse<String>> right = post(site, BankSite.deposit(7, 1), "application/json");
            CompletableFuture.anyOf(left, right).join();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
            HttpResponse<String> refused = (left.isDone() ? left : right).join();
            gate.countDown();
            StatusTest.assertProblem(refused, 503, "busy");
            assertThat(refused.headers().firstValue("Retry-After")).contains("1");
            assertThat((left.join() == refused ? right : left).join().body()).contains("\"amount\":1");
        } finally {
            gate.countDown();
        }
    }

    @Test
    void appliesNothingOfWhatTheServiceRefuses() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        try (BankSite site =
                BankSite.open(settings().withLimits(limits -> limits.withMaxPending(64)), BankSite.config(), gate)) {
            List<CompletableFuture<HttpResponse<String>>> all = IntStream.range(0, 200)
                    .mapToObj(_ -> post(site, BankSite.deposit(7, 1), "application/json"))
                    .toList();
            Await.until("some are refused", () -> site.service.refused() > 0);
            gate.countDown();
            List<HttpResponse<String>> answers =
                    all.stream().map(CompletableFuture::join).toList();
            long done = answers.stream()
                    .filter(answer -> answer.statusCode() == 200)
                    .count();
            assertThat(answers).anyMatch(answer -> answer.statusCode() == 503);
            assertThat(site.post("/queries/BalanceOf", "{\"account\":7}").body())
                    .contains("\"amount\":" + done + "}");
        } finally {
            gate.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theLinesOfABatchWaitForRoomAndAreAppliedOnce(boolean hasKey) throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        try (BankSite site =
                BankSite.open(settings().withLimits(limits -> limits.withMaxPending(64)), BankSite.config(), gate)) {
            HttpRequest.Builder request = site.json("/commands/Deposit", (BankSite.deposit(7, 1) + "\n").repeat(1_000))
                    .setHeader("Content-Type", "application/x-ndjson");
            CompletableFuture<HttpResponse<String>> batch = site.client()
                    .sendAsync(
                            (hasKey ? request.header("Idempotency-Key", "desk/1") : request).build(),
                            HttpResponse.BodyHandlers.ofString());
            Await.until("some are refused", () -> site.service.refused() > 0);
            gate.countDown();
            assertThat(batch.join().body().lines()).hasSize(1_000).allMatch(line -> line.startsWith("{\"status\":200"));
            assertThat(site.post("/queries/BalanceOf", "{\"account\":7}").body())
                    .contains("\"amount\":1000}");
        } finally {
            gate.countDown();
        }
    }

    @Test
    void aServiceThatHasJustStartedRefusesNoLineOfTheLongestBatch() throws Exception {
        try (BankSite site = BankSite.open(folder)) {
            HttpResponse<String> batch = post(
                            site, (BankSite.deposit(7, 1) + "\n").repeat(1_000), "application/x-ndjson")
                    .join();
            assertThat(batch.body().lines()).hasSize(1_000).allMatch(line -> line.startsWith("{\"status\":200"));
        }
    }

    @Test
    void aLineForWhichThereIsNoRoomInTimeIsRefused() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        HttpConfig brief = BankSite.config()
                .withLimits(BankSite.LIMITS.withTimes(Await.PATIENCE, Await.PATIENCE, Duration.ofMillis(500)));
        try (BankSite site = BankSite.open(settings().withLimits(limits -> limits.withMaxPending(64)), brief, gate)) {
            site.awaitConnected();
            HttpResponse<String> batch = post(
                            site, (BankSite.deposit(7, 1) + "\n").repeat(1_000), "application/x-ndjson")
                    .join();
            assertThat(batch.body().lines())
                    .hasSize(1_000)
                    .anyMatch(line -> line.contains("urn:slipstream:busy"))
                    .anyMatch(line -> line.contains("urn:slipstream:outcome-unknown"))
                    .noneMatch(line -> line.startsWith("{\"status\":200"));
        } finally {
            gate.countDown();
        }
    }

    /** The gate of the bank must not keep the gateway of the service from refusing. */
    private ServiceConfig settings() {
        return ServiceConfig.in(folder).withThreading(Threading.THREE);
    }

    private static CompletableFuture<HttpResponse<String>> post(BankSite site, String body, String type) {
        return site.client()
                .sendAsync(
                        site.json("/commands/Deposit", body)
                                .setHeader("Content-Type", type)
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }
}
