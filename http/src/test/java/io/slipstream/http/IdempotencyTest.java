package io.slipstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.http.config.Bearer;
import io.slipstream.service.ServiceConfig;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
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
    void appliesACommandOnceAlsoIfItComesAgainFromAnotherAddress() throws Exception {
        try (BankSite site = BankSite.open(folder);
                HttpClient elsewhere = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .localAddress(InetAddress.getByName("127.0.0.2"))
                        .build()) {
            assertThat(deposit(site, "desk-7/1", 100).body()).contains("\"amount\":100");
            assertThat(async(elsewhere, site, "desk-7/1", 100).join().body()).contains("\"amount\":100");
        }
    }

    @Test
    void appliesACommandOnceAlsoIfTheTokenOfItsBearerIsReplaced() throws Exception {
        assertThat(depositWith("old", Map.of("old", Bearer.writer("desk")))).contains("\"amount\":100");
        assertThat(depositWith("new", Map.of("new", Bearer.writer("desk")))).contains("\"amount\":100");
        assertThat(depositWith("new", Map.of("new", Bearer.writer("other")))).contains("\"amount\":200");
    }

    @Test
    void refusesAKeyThatComesAgainWithACommandOfAnotherType() throws Exception {
        try (BankSite site = BankSite.open(folder)) {
            assertThat(deposit(site, "desk-7/1", 100).statusCode()).isEqualTo(200);
            HttpResponse<String> refused = site.send(site.json("/commands/Withdraw", "{\"account\":7,\"amount\":3}")
                    .header("Idempotency-Key", "desk-7/1"));
            StatusTest.assertProblem(refused, 422, "idempotency-key");
            assertThat(refused.body()).contains("command Deposit", "command Withdraw");
        }
    }

    @Test
    void refusesAKeyWhoseReplyIsThatOfAnotherTypeOfCommandAlsoAfterARestart() throws Exception {
        try (BankSite site = BankSite.open(folder)) {
            assertThat(deposit(site, "desk-7/1", 100).statusCode()).isEqualTo(200);
        }
        try (BankSite site = BankSite.open(folder)) {
            HttpResponse<String> refused =
                    site.send(site.json("/commands/Close", "{\"account\":7}").header("Idempotency-Key", "desk-7/1"));
            StatusTest.assertProblem(refused, 422, "idempotency-key");
            assertThat(refused.body()).contains("another type than Close");
        }
    }

    @Test
    void letsTwoOfTheSameWaitForOneAnswer() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        try (BankSite site =
                BankSite.open(ServiceConfig.in(folder).withMaxResponseTime(Await.RESPONSE), BankSite.config(), gate)) {
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
    void refusesTwoKeysInOneRequest() throws Exception {
        try (BankSite site = BankSite.open(folder)) {
            HttpResponse<String> refused = site.send(site.json("/commands/Deposit", BankSite.deposit(7, 1))
                    .header("Idempotency-Key", "desk-7/1")
                    .header("Idempotency-Key", "desk-7/2"));
            StatusTest.assertProblem(refused, 400, "idempotency-key");
            assertThat(refused.body()).contains("send one Idempotency-Key, not 2");
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

    private String depositWith(String token, Map<String, Bearer> tokens) throws Exception {
        try (BankSite site = BankSite.open(folder, BankSite.config().withTokens(tokens))) {
            return site.send(site.json("/commands/Deposit", BankSite.deposit(7, 100))
                            .header("Authorization", "Bearer " + token)
                            .header("Idempotency-Key", "desk-7/1"))
                    .body();
        }
    }

    private static CompletableFuture<HttpResponse<String>> async(BankSite site, String key, long amount) {
        return async(site.client(), site, key, amount);
    }

    private static CompletableFuture<HttpResponse<String>> async(
            HttpClient client, BankSite site, String key, long amount) {
        return client.sendAsync(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + site.gateway.port() + "/commands/Deposit"))
                        .header("Content-Type", "application/json")
                        .header("Idempotency-Key", key)
                        .POST(HttpRequest.BodyPublishers.ofString(BankSite.deposit(7, amount)))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
