package io.slipstream.core.executor;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The executor in the place of the JDK's own. */
class ExecutorInUseTest {
    @Test
    void servesAnHttpServerAndAnHttpClient() throws Exception {
        try (LockFreeExecutor ofServer =
                        LockFreeExecutor.builder().name("server").workers(2).build();
                LockFreeExecutor ofClient =
                        LockFreeExecutor.builder().name("client").workers(2).build()) {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(ofServer);
            server.createContext("/", exchange -> {
                byte[] answer = Thread.currentThread().getName().getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, answer.length);
                exchange.getResponseBody().write(answer);
                exchange.close();
            });
            server.start();
            try (HttpClient client = HttpClient.newBuilder().executor(ofClient).build()) {
                URI address =
                        URI.create("http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":"
                                + server.getAddress().getPort() + "/");
                List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
                for (int i = 0; i < 50; i++) {
                    answers.add(client.sendAsync(
                            HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString()));
                }
                for (CompletableFuture<HttpResponse<String>> answer : answers) {
                    assertThat(answer.join().body()).startsWith("server-");
                }
                assertThat(ofClient.stats().completed()).isPositive();
            } finally {
                server.stop(0);
            }
        }
    }
}
