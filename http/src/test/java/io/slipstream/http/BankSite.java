package io.slipstream.http;

import io.slipstream.http.api.Api;
import io.slipstream.http.config.HttpConfig;
import io.slipstream.http.config.HttpLimits;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A bank behind a gateway, and a browser's view of it. */
final class BankSite implements AutoCloseable {
    /** The usual ones with the patience of all tests. */
    static final HttpLimits LIMITS = HttpLimits.DEFAULT.withTimes(Await.PATIENCE, Await.PATIENCE, Await.PATIENCE);

    final Service service;
    final HttpGateway gateway;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private BankSite(Service service, HttpGateway gateway) {
        this.service = service;
        this.gateway = gateway;
    }

    /** Returns the configuration of a gateway that waits as long as all tests do. */
    static HttpConfig config() {
        return HttpConfig.onPort(0).withLimits(LIMITS);
    }

    static BankSite open(Path folder) throws IOException {
        return open(folder, config());
    }

    static BankSite open(Path folder, HttpConfig config) throws IOException {
        return open(ServiceConfig.in(folder).withMaxResponseTime(Await.RESPONSE), config, new CountDownLatch(0));
    }

    static BankSite open(ServiceConfig settings, HttpConfig config, CountDownLatch gate) throws IOException {
        Service service = Service.start(settings, new Bank(gate));
        try {
            return new BankSite(
                    service,
                    HttpGateway.start(
                            config, Api.of(Bank.CONTRACT), new InetSocketAddress("localhost", service.port())));
        } catch (IOException | RuntimeException e) {
            service.close();
            throw e;
        }
    }

    /** Waits until requests reach the service: a gateway that answers within moments tries no longer to connect. */
    void awaitConnected() throws Exception {
        Await.until(
                "the gateway reaches the service",
                () -> post("/queries/BalanceOf", "{\"account\":7}").statusCode() < 500);
    }

    HttpClient client() {
        return client;
    }

    URI uri(String path) {
        return URI.create("http://localhost:" + gateway.port() + path);
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(uri(path));
    }

    HttpRequest.Builder json(String path, String body) {
        return request(path).header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return send(json(path, body));
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path));
    }

    static String deposit(long account, long amount) {
        return "{\"account\":" + account + ",\"amount\":" + amount + ",\"note\":\"\"}";
    }

    @Override
    public void close() {
        client.shutdownNow();
        gateway.close();
        service.close();
    }
}
