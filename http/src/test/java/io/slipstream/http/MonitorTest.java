package io.slipstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.Counters;
import io.slipstream.http.api.Api;
import io.slipstream.http.config.Bearer;
import io.slipstream.service.log.CommitTimes;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MonitorTest {
    @TempDir
    Path folder;

    @Test
    void isReadyWhenTheServiceAnswersAndNoLongerWhenItHasEnded() throws Exception {
        // It is unhealthy once an answer is late.
        try (BankSite site = BankSite.open(folder, BankSite.config())) {
            assertThat(await(site, "/ready", 200)).contains("\"ready\":true");
            assertThat(await(site, "/health", 200)).contains("\"healthy\":true", "\"stateHash\"");
            site.service.close();
            assertThat(await(site, "/health", 503)).contains("\"reason\"");
        }
    }

    @Test
    void eachOfTwoServicesOfAProcessHasItsOwnHealth() throws Exception {
        try (BankSite one = BankSite.open(folder.resolve("one"), BankSite.config());
                BankSite other = BankSite.open(folder.resolve("other"), BankSite.config())) {
            await(one, "/health", 200);
            await(other, "/health", 200);
            one.service.close();
            await(one, "/health", 503);
            await(other, "/health", 200);
        }
    }

    @Test
    void countsWhatItAnswersInAFormThatPrometheusReads() throws Exception {
        try (BankSite site = BankSite.open(folder)) {
            await(site, "/ready", 200);
            site.post("/commands/Deposit", BankSite.deposit(7, 1));
            site.post("/commands/Withdraw", "{\"account\":7,\"amount\":9}");
            String metrics = Await.value(
                    "both are counted", () -> site.get("/metrics").body(), body -> body.contains("status=\"409\""));
            assertThat(metrics)
                    .contains(
                            "slipstream_up 1.0\n",
                            "slipstream_http_requests_total{kind=\"command\",status=\"200\"} 1.0\n",
                            "slipstream_http_requests_total{kind=\"command\",status=\"409\"} 1.0\n")
                    .containsPattern("\njvm_memory_used_bytes\\{area=\"heap\"} [1-9]")
                    .containsPattern("\njvm_gc_collection_seconds_sum\\{gc=\"[^\"]+\"} [0-9]")
                    .containsPattern("\nprocess_start_time_seconds [1-9]");
            assertThat(promtool(metrics)).isEmpty();
        }
    }

    @Test
    void speaksOpenMetricsToWhomItSuits() throws Exception {
        try (BankSite site = BankSite.open(folder)) {
            await(site, "/ready", 200);
            HttpResponse<String> response = site.send(site.request("/metrics")
                    .header(
                            "Accept",
                            "application/openmetrics-text;version=1.0.0;q=0.6,"
                                    + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1"));
            assertThat(response.headers().firstValue("Content-Type"))
                    .contains("application/openmetrics-text; version=1.0.0; charset=utf-8");
            assertThat(response.headers().firstValue("Vary")).contains("Accept");
            assertThat(response.body())
                    .contains("# TYPE slipstream_http_requests counter\n", "\nslipstream_http_requests_total{")
                    .doesNotContain("TYPE slipstream_http_requests_total")
                    .endsWith("\n# EOF\n");
            assertThat(site.get("/metrics").headers().firstValue("Content-Type"))
                    .contains("text/plain; version=0.0.4; charset=utf-8");
        }
    }

    @Test
    void givesTextToWhomWouldRatherHaveTheBinaryForm() throws Exception {
        try (BankSite site = BankSite.open(folder)) {
            HttpResponse<String> response = site.send(site.request("/metrics")
                    .header(
                            "Accept",
                            "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily,"
                                    + "text/plain;version=0.0.4;q=0.3"));
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("Content-Type"))
                    .contains("text/plain; version=0.0.4; charset=utf-8");
            assertThat(response.body()).contains("slipstream_up ");
        }
    }

    @Test
    void whatOnlyGrowsIsACounterAndAllElseIsAGauge() throws Exception {
        String metrics = metricsOf(counters -> {
            for (CounterType each : CounterType.values()) {
                counters.add(each, "of a service", each.name()).setRelease(7);
            }
        });
        for (CounterType each : CounterType.values()) {
            assertThat(metrics)
                    .contains((each.isTotal() ? "slipstream_count_total" : "slipstream_level") + "{label=\""
                            + each.name() + "\",owner=\"of a service\"} 7.0\n");
        }
        assertThat(promtool(metrics)).isEmpty();
    }

    @Test
    void ofTwoCountersOfOneNameTotalsAreAddedAndLevelsAreNot() throws Exception {
        assertThat(metricsOf(counters -> {
                    for (long value = 1; value <= 3; value++) {
                        counters.add(CounterType.COUNT, "commands", "accepted").setRelease(value);
                        counters.add(CounterType.DEPTH, "ring", "depth").setRelease(value);
                    }
                }))
                .contains(
                        "slipstream_count_total{label=\"accepted\",owner=\"commands\"} 6.0\n",
                        "slipstream_level{label=\"depth\",owner=\"ring\"} 3.0\n");
    }

    @Test
    void theTimesOfCommitsAreAHistogram() throws Exception {
        String metrics = metricsOf(counters -> {
            counters.add(CounterType.SPENT_NANOS, CommitTimes.SUM_OWNER, CommitTimes.SUM_LABEL)
                    .setRelease(1_500_000_000);
            for (int group = 0; group < CommitTimes.groups(); group++) {
                counters.add(CounterType.COUNT, CommitTimes.OWNER, CommitTimes.label(group))
                        .setRelease(group + 1);
            }
        });
        assertThat(metrics).contains("""
            # TYPE slipstream_commit_seconds histogram
            slipstream_commit_seconds_bucket{le="1.0E-4"} 1
            slipstream_commit_seconds_bucket{le="2.0E-4"} 3
            """, """
            slipstream_commit_seconds_bucket{le="1.0"} 91
            slipstream_commit_seconds_bucket{le="+Inf"} 105
            slipstream_commit_seconds_count 105
            slipstream_commit_seconds_sum 1.5
            """).doesNotContain("owner=\"commit times\"");
        assertThat(promtool(metrics)).isEmpty();
    }

    @Test
    void theTimesOfCommitsAreMissingIfAServiceOfAnotherVersionGroupsThemOtherwise() throws Exception {
        assertThat(metricsOf(counters -> {
                    counters.add(CounterType.COUNT, CommitTimes.OWNER, "up to 7 µs")
                            .setRelease(1);
                }))
                .contains("slipstream_up ")
                .doesNotContain("slipstream_commit_seconds");
    }

    /** Returns the metrics of a gateway whose service has these counters. */
    private String metricsOf(Consumer<Counters> made) throws Exception {
        try (Counters counters = Counters.create(folder.resolve("counters"), 64);
                HttpGateway gateway = HttpGateway.listen(BankSite.config(), Api.of(Bank.CONTRACT), counters.file());
                HttpClient client = HttpClient.newHttpClient()) {
            made.accept(counters);
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + gateway.port() + "/metrics"))
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
    }

    @Test
    void asksForATokenForMetricsButNotForHealth() throws Exception {
        try (BankSite site = BankSite.open(folder, BankSite.config().withTokens(Map.of("t", Bearer.reader("eye"))))) {
            assertThat(await(site, "/health", 200)).contains("true");
            StatusTest.assertProblem(site.get("/metrics"), 401, "unauthenticated");
        }
    }

    private static String await(BankSite site, String path, int status) throws Exception {
        return Await.value(path + " says " + status, () -> site.get(path), response -> response.statusCode() == status)
                .body();
    }

    /** Returns what promtool has to say. */
    private String promtool(String metrics) throws IOException, InterruptedException {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/promtool")), "promtool is not installed");
        Path text = Files.writeString(folder.resolve("metrics.txt"), metrics);
        Process process = new ProcessBuilder("/usr/bin/promtool", "check", "metrics")
                .redirectErrorStream(true)
                .redirectInput(text.toFile())
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
