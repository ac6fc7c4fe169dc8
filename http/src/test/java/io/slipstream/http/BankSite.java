package io.slipstream.http;

import io.slipstream.http.api.Api;
import io.slipstream.http.config.HttpConfig;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
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
    final Service service;
    final HttpGateway gateway;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private BankSite(Service service, HttpGateway gateway) {
        this.service = service;
        this.gateway = gateway;
    }

    static BankSite open(Path folder) throws IOException {
        return open(folder, HttpConfig.onPort(0));
    }

    static BankSite open(Path folder, HttpConfig config) throws IOException {
        return open(ServiceConfig.in(folder), config, new CountDownLatch(0));
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
