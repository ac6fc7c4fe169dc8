package io.slipstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.service.ServiceConfig;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdempotencyTest {
    @TempDir
    Path folder;

    @Test
    void appliesARepeatedCommandOnceAndGivesTheSameReply() throws Exception {
        try (BankSite site = BankSite.open(folder)) {
            assertThat(deposit(site, "desk-7/1", 100).body()).contains("\"amount\":100");
            assertThat(deposit(site, "desk-7/2", 1).body()).contains("\"amount\":101");
            assertThat(deposit(site, "desk-7/1", 100).body()).contains("\"amount\":100");
            assertThat(deposit(site, "desk-8/1", 1).body()).contains("\"amount\":102");
            assertThat(site.post("/queries/BalanceOf", "{\"account\":7}").body())
                    .contains("\"amount\":102");
        }
    }

    @Test
    void knowsARepeatedCommandAfterARestartOfGatewayAndService() throws Exception {
        try (BankSite site = BankSite.open(folder)) {
            assertThat(deposit(site, "desk-7/1", 100).statusCode()).isEqualTo(200);
        }
        try (BankSite site = BankSite.open(folder)) {
            assertThat(deposit(site, "desk-7/1", 100).body()).contains("\"amount\":100");
            assertThat(site.post("/queries/BalanceOf", "{\"account\":7}").body())
                    .contains("\"amount\":100");
        }
    }

    @Test
    void letsTwoOfTheSameWaitForOneAnswer() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        try (BankSite site = BankSite.open(ServiceConfig.in(folder), BankSite.config(), gate)) {
            CompletableFuture<HttpResponse<String>> first = async(site, "desk-7/1", 100);
            CompletableFuture<HttpResponse<String>> second = async(site, "desk-7/1", 100);
            gate.countDown();
            assertThat(first.join().body()).isEqualTo(second.join().body()).contains("\"amount\":100");
        }
    }

    @Test
    void refusesAKeyOfAnotherForm() throws Exception {
        try (BankSite site = BankSite.open(folder)) {
            HttpResponse<String> refused = deposit(site, "no number", 1);
            StatusTest.assertProblem(refused, 400, "idempotency-key");
            assertThat(refused.body()).contains("desk-7/42");
        }
    }

    @Test
    void numbersTheLinesOfABatchOnFromItsKey() throws Exception {
        try (BankSite site = BankSite.open(folder)) {
            String lines = BankSite.deposit(7, 1) + "\n" + BankSite.deposit(7, 2) + "\n";
            for (int i = 0; i < 2; i++) {
                HttpResponse<String> all = site.send(site.json("/commands/Deposit", lines)
                        .setHeader("Content-Type", "application/x-ndjson")
                        .header("Idempotency-Key", "desk-7/1"));
                assertThat(all.body().lines())
                        .containsExactly(
                                "{\"status\":200,\"reply\":{\"account\":7,\"amount\":1}}",
                                "{\"status\":200,\"reply\":{\"account\":7,\"amount\":3}}");
            }
        }
    }

    private static HttpResponse<String> deposit(BankSite site, String key, long amount)
            throws IOException, InterruptedException {
        return site.send(
                site.json("/commands/Deposit", BankSite.deposit(7, amount)).header("Idempotency-Key", key));
    }

    private static CompletableFuture<HttpResponse<String>> async(BankSite site, String key, long amount) {
        return site.client()
                .sendAsync(
                        site.json("/commands/Deposit", BankSite.deposit(7, amount))
                                .header("Idempotency-Key", key)
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }
}
