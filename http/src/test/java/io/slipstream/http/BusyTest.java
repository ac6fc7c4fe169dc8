package io.slipstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.http.config.HttpConfig;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.Threading;
import io.slipstream.testkit.Await;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BusyTest {
    @TempDir
    Path folder;

    @Test
    void answers503WithRetryAfterWhenAsManyWaitAsMay() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        HttpConfig one = BankSite.config().withLimits(BankSite.LIMITS.withPending(1));
        try (BankSite site = BankSite.open(settings(), one, gate)) {
            CompletableFuture<HttpResponse<String>> left = post(site, BankSite.deposit(7, 1), "application/json");
            CompletableFuture<HttpResponse<String>> right = post(site, BankSite.deposit(7, 1), "application/json");
            CompletableFuture.anyOf(left, right).join();
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
                BankSite.open(settings().withLimits(limits -> limits.withMaxPending(256)), BankSite.config(), gate)) {
            String lines = (BankSite.deposit(7, 1) + "\n").repeat(1_000);
            CompletableFuture<HttpResponse<String>> batch = post(site, lines, "application/x-ndjson");
            Await.until("some are refused", () -> site.service.refused() > 0);
            gate.countDown();
            List<String> answers = batch.join().body().lines().toList();
            long done = answers.stream()
                    .filter(line -> line.contains("\"status\":200"))
                    .count();
            assertThat(answers).hasSize(1_000).anyMatch(line -> line.contains("\"status\":503"));
            assertThat(site.post("/queries/BalanceOf", "{\"account\":7}").body())
                    .contains("\"amount\":" + done + "}");
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
