package io.slipstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.http.config.Bearer;
import io.slipstream.http.config.HttpConfig;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusTest {
    @TempDir
    Path folder;

    @Test
    void answersACommandAndAQueryWithTheReply() throws Exception {
        try (BankSite site = BankSite.open(folder)) {
            HttpResponse<String> done = site.post("/commands/Deposit", BankSite.deposit(7, 100));
            assertThat(done.body()).isEqualTo("{\"account\":7,\"amount\":100}");
            assertThat(done.statusCode()).isEqualTo(200);
            assertThat(done.headers().firstValue("Content-Type")).contains("application/json");
            assertThat(site.post("/queries/BalanceOf", "{\"account\":7}").body())
                    .isEqualTo(done.body());
        }
    }

    @Test
    void namesTheFieldThatIsWrong() throws Exception {
        try (BankSite site = BankSite.open(folder)) {
            HttpResponse<String> bad = site.post("/commands/Deposit", "{\"account\":7,\"amount\":\"much\"}");
            assertProblem(bad, 400, "invalid");
            assertThat(bad.body()).contains("\"field\":\"Deposit.amount\"");
            assertThat(site.post("/commands/Deposit", BankSite.deposit(7, -1)).body())
                    .contains("an amount is positive, not -1");
            assertThat(site.post("/queries/BalanceOf", "{\"account\":7}").body())
                    .contains("\"amount\":0");
        }
    }

    @Test
    void saysWhyItIsNotDone() throws Exception {
        try (BankSite site = BankSite.open(folder)) {
            assertProblem(site.post("/commands/Withdraw", "{\"account\":7,\"amount\":3}"), 409, "rejected");
            assertProblem(site.post("/commands/Break", "{\"dummy\":1}"), 500, "failed");
            assertProblem(site.post("/commands/Nothing", "{}"), 404, "unknown");
            assertProblem(site.get("/nothing"), 404, "unknown");
            HttpResponse<String> wrongMethod = site.get("/commands/Deposit");
            assertProblem(wrongMethod, 405, "method");
            assertThat(wrongMethod.headers().firstValue("Allow")).contains("POST");
            assertProblem(
                    site.send(site.request("/commands/Deposit")
                            .header("Content-Type", "text/plain")
                            .POST(HttpRequest.BodyPublishers.ofString("{}"))),
                    415,
                    "media-type");
        }
    }

    @Test
    void refusesABodyThatIsTooLongWhetherItsLengthIsSaidOrNot() throws Exception {
        HttpConfig config = BankSite.config().withLimits(BankSite.LIMITS.withBodyBytes(100));
        try (BankSite site = BankSite.open(folder, config)) {
            String body = " ".repeat(200) + BankSite.deposit(7, 1);
            assertProblem(site.post("/commands/Deposit", body), 413, "too-long");
            byte[] bytes = body.getBytes(java.nio.charset.StandardCharsets.UTF_8);
            assertProblem(
                    site.send(site.request("/commands/Deposit")
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofInputStream(
                                    () -> new java.io.ByteArrayInputStream(bytes)))),
                    413,
                    "too-long");
        }
    }

    @Test
    void asksForATokenAndLetsAReaderReadOnly() throws Exception {
        HttpConfig config =
                BankSite.config().withTokens(Map.of("rrr", Bearer.reader("eye"), "www", Bearer.writer("desk")));
        try (BankSite site = BankSite.open(folder, config)) {
            HttpResponse<String> refused = site.post("/commands/Deposit", BankSite.deposit(7, 1));
            assertProblem(refused, 401, "unauthenticated");
            assertThat(refused.headers().firstValue("WWW-Authenticate")).isPresent();
            assertProblem(
                    site.send(site.json("/commands/Deposit", BankSite.deposit(7, 1))
                            .header("Authorization", "Bearer rrr")),
                    403,
                    "forbidden");
            assertThat(site.send(site.json("/commands/Deposit", BankSite.deposit(7, 1))
                                    .header("Authorization", "Bearer www"))
                            .statusCode())
                    .isEqualTo(200);
            String basic = Base64.getEncoder().encodeToString("anyone:rrr".getBytes());
            assertThat(site.send(site.json("/queries/BalanceOf", "{\"account\":7}")
                                    .header("Authorization", "Basic " + basic))
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void refusesAClientThatSendsMoreThanItMay() throws Exception {
        HttpConfig config = BankSite.config().withLimits(BankSite.LIMITS.withRatePerSecond(1));
        try (BankSite site = BankSite.open(folder, config)) {
            HttpResponse<String> answer = site.post("/queries/BalanceOf", "{\"account\":7}");
            for (int i = 0; i < 100 && answer.statusCode() == 200; i++) {
                answer = site.post("/queries/BalanceOf", "{\"account\":7}");
            }
            assertProblem(answer, 429, "rate");
            assertThat(answer.headers().firstValue("Retry-After")).contains("1");
        }
    }

    @Test
    void letsPagesOfKnownOriginsInAndNoOthers() throws Exception {
        HttpConfig config = BankSite.config().withOrigins(Set.of("https://desk.example"));
        try (BankSite site = BankSite.open(folder, config)) {
            HttpResponse<String> known = site.send(site.request("/commands/Deposit")
                    .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
                    .header("Origin", "https://desk.example"));
            assertThat(known.statusCode()).isEqualTo(204);
            assertThat(known.headers().firstValue("Access-Control-Allow-Origin"))
                    .contains("https://desk.example");
            HttpResponse<String> other = site.send(site.request("/commands/Deposit")
                    .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
                    .header("Origin", "https://evil.example"));
            assertThat(other.statusCode()).isEqualTo(405);
            assertThat(other.headers().firstValue("Access-Control-Allow-Origin"))
                    .isEmpty();
        }
    }

    static void assertProblem(HttpResponse<String> response, int status, String kind) {
        assertThat(response.body()).contains("\"type\":\"urn:slipstream:" + kind + "\"");
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
    }
}
