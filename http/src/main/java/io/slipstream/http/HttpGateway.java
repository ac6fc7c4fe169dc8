package io.slipstream.http;

import io.slipstream.http.api.Api;
import io.slipstream.http.call.Backend;
import io.slipstream.http.config.HttpConfig;
import io.slipstream.http.config.Upstream;
import io.slipstream.http.listen.Listener;
import io.slipstream.http.monitor.Answered;
import io.slipstream.http.monitor.Dashboard;
import io.slipstream.http.monitor.Vitals;
import io.slipstream.http.openapi.OpenApi;
import io.slipstream.http.web.Errors;
import io.slipstream.http.web.Page;
import io.slipstream.http.web.Router;
import io.slipstream.http.web.Streams;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A running gateway. Close it before the service, which then still answers what the gateway has taken.
 *
 * <pre>{@code
 *   try (Service service = Service.start(config, Bank::new);
 *        HttpGateway gateway = HttpGateway.start(HttpConfig.onPort(8080), Api.of(Bank.CONTRACT),
 *                new InetSocketAddress("localhost", service.port()))) {
 *       service.ended().join();
 *   }
 * }</pre>
 */
public final class HttpGateway implements AutoCloseable {
    private final Backend backend;
    private final Streams streams;
    private final Vitals vitals;
    private final Dashboard dashboard;
    private final Listener listener;

    private HttpGateway(HttpConfig config, Api api, Upstream service) throws IOException {
        backend = new Backend(service, config.limits());
        streams = new Streams(config.limits().streams());
        Map<String, Page> pages = new LinkedHashMap<>();
        api.pages()
                .forEach(page -> page.files().forEach((name, bytes) -> pages.put("/" + name, Page.file(name, bytes))));
        byte[] description = OpenApi.of(api).getBytes(StandardCharsets.UTF_8);
        pages.put("/openapi.json", new Page("application/json", false, () -> new Page.Content(200, description)));
        pages.put("/try.html", Page.beside(OpenApi.class, "try.html"));
        pages.put("/try.js", Page.beside(OpenApi.class, "try.js"));
        Answered answered = new Answered();
        vitals = new Vitals(backend, streams, answered, service.counters());
        dashboard = new Dashboard(api, vitals);
        pages.putAll(vitals.pages());
        pages.putAll(dashboard.pages());
        try {
            listener = new Listener(
                    config, new Router(api, config, backend, streams, pages, dashboard.live(), answered), new Errors());
        } catch (IOException | RuntimeException e) {
            dashboard.close();
            vitals.close();
            backend.close();
            throw e;
        }
    }

    /**
     * Begins to listen.
     *
     * @param service where the native protocol is spoken; it may be started later
     * @throws IOException if the address cannot be bound; the message says which
     */
    public static HttpGateway start(HttpConfig config, Api api, InetSocketAddress service) throws IOException {
        return start(config, api, Upstream.at(service));
    }

    /**
     * As {@link #start(HttpConfig, Api, InetSocketAddress)}, with what the gateway logs in with and where the service
     * counts.
     */
    public static HttpGateway start(HttpConfig config, Api api, Upstream service) throws IOException {
        return new HttpGateway(config, api, service);
    }

    /** Returns the port that it listens on. */
    public int port() {
        return listener.port();
    }

    /** Ends the event streams, takes no more requests, and answers those that it has taken. */
    @Override
    public void close() {
        streams.finish();
        dashboard.close();
        listener.close();
        vitals.close();
        backend.close();
    }
}
