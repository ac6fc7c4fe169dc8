package io.slipstream.benchmarks.executor;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.slipstream.core.executor.LockFreeExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** The contests run, and programs of the JDK work with the executor in their place. */
class ExecutorSuiteTest {
    @Test
    void countsEveryTask() throws Exception {
        TaskContest contest = new TaskContest(
                () -> LockFreeExecutor.builder().workers(2).build(), Executors::newCachedThreadPool, 2, 20_000, false);
        assertThat(contest.ours()).isPositive();
        assertThat(contest.peer()).isPositive();
    }

    @Test
    void serversAndClientsOfTheJdkWorkWithTheExecutor() throws Exception {
        try (LockFreeExecutor executor = LockFreeExecutor.builder().workers(2).build()) {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> {
                exchange.sendResponseHeaders(204, -1);
                exchange.close();
            });
            server.setExecutor(executor);
            server.start();
            URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
            try (HttpClient client = HttpClient.newBuilder().executor(executor).build()) {
                List<CompletableFuture<HttpResponse<Void>>> answers = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    answers.add(client.sendAsync(
                            HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.discarding()));
                }
                for (CompletableFuture<HttpResponse<Void>> answer : answers) {
                    assertThat(answer.join().statusCode()).isEqualTo(204);
                }
            }
            server.stop(0);
        }
    }

    @Test
    void answersEveryRequest() throws Exception {
        try (HttpContest contest =
                new HttpContest(LockFreeExecutor.builder().workers(2).build(), Executors.newFixedThreadPool(2), 500)) {
            assertThat(contest.ours()).isPositive();
            assertThat(contest.peer()).isPositive();
        }
    }
}
