package io.slipstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.service.ServiceConfig;
import io.slipstream.testkit.Await;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What waits for others ends early on an interrupted thread; all else is done as by any other. */
class InterruptedThreadTest {
    @TempDir
    Path folder;

    @Test
    void startsAGatewayThatServesAndEndsIt() throws Exception {
        Thread.currentThread().interrupt();
        try {
            int port;
            try (BankSite site = BankSite.open(
                    ServiceConfig.in(folder).withMaxResponseTime(Await.RESPONSE),
                    BankSite.config(),
                    new CountDownLatch(0))) {
                assertThat(Thread.interrupted()).as("still interrupted").isTrue();
                port = site.gateway.port();
                CompletableFuture<HttpResponse<String>> answer = site.client()
                        .sendAsync(
                                site.json("/commands/Deposit", BankSite.deposit(1, 5))
                                        .build(),
                                HttpResponse.BodyHandlers.ofString());
                assertThat(Await.done(answer).statusCode()).isEqualTo(200);
                Thread.currentThread().interrupt();
            }
            assertThat(Thread.interrupted()).as("still interrupted").isTrue();
            Await.until("the port is closed", () -> !StopTest.takesConnections(port));
        } finally {
            Thread.interrupted();
        }
    }
}
