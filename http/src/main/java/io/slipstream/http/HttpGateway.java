package io.slipstream.http;

import io.slipstream.http.api.Api;
import io.slipstream.http.call.Backend;
import io.slipstream.http.config.HttpConfig;
import io.slipstream.http.config.MemberView;
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
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
    private static final List<String> VIEWERS =
            List.of("try.html", "try.js", "swagger.html", "swagger.js", "swagger-ui-bundle.js", "swagger-ui.css");
    private static final Duration FIRST_ANSWER = Duration.ofSeconds(1);

    private final Backend backend;
    private final Streams streams;
    private final Vitals vitals;
    private final Dashboard dashboard;
    private final Listener listener;

    private HttpGateway(HttpConfig config, Api api, @Nullable Path counters) throws IOException {
        backend = new Backend(config.limits());
        streams = new Streams(config.limits().streams());
        Map<String, Page> pages = new LinkedHashMap<>();
        api.pages()
                .forEach(page -> page.files().forEach((name, bytes) -> pages.put("/" + name, Page.file(name, bytes))));
        byte[] description = OpenApi.of(api, !config.tokens().isEmpty()).getBytes(StandardCharsets.UTF_8);
        pages.put("/openapi.json", new Page(false, () -> Page.Content.json(200, description)));
        for (String file : VIEWERS) {
            pages.put("/" + file, Page.beside(OpenApi.class, file));
        }
        Answered answered = new Answered();
        vitals = new Vitals(backend, streams, answered, counters, config.lookEvery());
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
     *
     * @throws IllegalArgumentException if other machines reach the address, and there are neither tokens nor
     *                                  {@link HttpConfig#withOpenAccess}
     */
    public static HttpGateway start(HttpConfig config, Api api, Upstream service) throws IOException {
        HttpGateway gateway = listen(config, api, service.counters());
        try {
            gateway.connect(service);
            return gateway;
        } catch (IOException | RuntimeException e) {
            gateway.close();
            throw e;
        }
    }

    /**
     * Begins to listen before there is a service. Until {@link #connect} its health says that the service is starting,
     * and requests are refused with 503.
     *
     * @param counters file of the process of the service; null if it has none
     * @throws IOException              if the address cannot be bound; the message says which
     * @throws IllegalArgumentException as {@link #start(HttpConfig, Api, Upstream)}
     */
    public static HttpGateway listen(HttpConfig config, Api api, @Nullable Path counters) throws IOException {
        config.requireAccessSaid();
        return new HttpGateway(config, api, counters);
    }

    /**
     * Begins to connect to the service; once. Its counters are those that {@link #listen} was given. If it is there, it
     * is healthy at the return; nobody waits for it for longer than a second.
     *
     * @throws IOException if there is no selector
     */
    public void connect(Upstream service) throws IOException {
        backend.connect(service);
        vitals.awaitFirstAnswer(FIRST_ANSWER);
    }

    /** Says how far the service is in the replay of its log, for health and metrics. Any thread. */
    public void replaying(long done, long all) {
        vitals.replaying(done, all);
    }

    /**
     * Shows the members of a cluster on the dashboard, each in a column of its own. The alert history notes which of
     * them do not answer.
     *
     * @param members how they were last; asked four times a second by a thread of the gateway, so it never waits
     */
    public void showMembers(Supplier<List<MemberView>> members) {
        vitals.showMembers(members);
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
