package io.slipstream.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.service.ServiceConfig;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StopTest {
    @TempDir
    private Path folder;

    @Test
    void answersWhatItHasTakenBeforeItEnds() throws Exception {
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1) {
            @Override
            public void await() throws InterruptedException {
                taken.countDown();
                super.await();
            }
        };
        BankSite site =
                BankSite.open(ServiceConfig.in(folder).withMaxResponseTime(Await.RESPONSE), BankSite.config(), gate);
        int port = site.gateway.port();
        CompletableFuture<HttpResponse<String>> answer = site.client()
                .sendAsync(
                        site.json("/commands/Deposit", BankSite.deposit(1, 5)).build(),
                        HttpResponse.BodyHandlers.ofString());
        taken.await();
        CompletableFuture<Void> closed = CompletableFuture.runAsync(site.gateway::close);
        Await.until("the port is closed", () -> !takesConnections(port));
        assertThat(closed).isNotDone();
        gate.countDown();
        assertThat(Await.done(answer).statusCode()).isEqualTo(200);
        Await.done(closed);
        site.close();
    }

    /** False once the port is closed: the kernel refuses, or resets what it still had in its queue. */
    static boolean takesConnections(int port) throws IOException {
        try (Socket _ = new Socket("localhost", port)) {
            return true;
        } catch (SocketException e) {
            return false;
        }
    }
}
