package io.slipstream.http.call;

import io.slipstream.http.config.HttpLimits;
import io.slipstream.http.config.Upstream;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.protocol.Status;
import io.slipstream.service.security.Tls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The service behind a gateway. Any thread. */
public final class Backend implements AutoCloseable {
    private static final int WINDOW_BYTES = 1 << 20;

    private final Upstream service;
    private final HttpLimits limits;
    private final SessionPool sessions;
    private final Pending pending;
    private volatile ServiceClient client;

    /** Begins to connect to a service. */
    public Backend(Upstream service, HttpLimits limits) throws IOException {
        this.service = service;
        this.limits = limits;
        this.sessions = new SessionPool(service, limits.sessions());
        this.client = newClient();
        this.pending = new Pending(limits);
    }

    /** Sends a command; fails with {@link RefusedException} or what a {@link ServiceClient} throws. */
    public CompletableFuture<Reply> command(byte[] payload, @Nullable IdempotencyKey key) {
        return pending.send(() -> key == null ? client().send(payload) : sessions.send(key, payload));
    }

    /** Asks something; fails as {@link #command}. */
    public CompletableFuture<Reply> query(byte[] payload) {
        return pending.send(() -> client().queryAsync(payload));
    }

    /** Asks the service how it is, and waits. */
    public Status status() {
        return client().status();
    }

    /** Returns a client of its own for a stream of items. */
    public ServiceClient newClient() throws IOException {
        ServiceClient.Builder builder = ServiceClient.builder(
                        service.address().getHostString(), service.address().getPort())
                .windowBytes(WINDOW_BYTES)
                .timeout(limits.answerTime());
        String token = service.token();
        builder = token == null ? builder : builder.token(token);
        Tls tls = service.tls();
        return (tls == null ? builder : builder.tls(tls)).begin();
    }

    /** Returns how many requests wait for an answer. */
    public int pending() {
        return pending.count();
    }

    /** Returns how many may. */
    public int maxPending() {
        return pending.most();
    }

    @Override
    public void close() {
        client.close();
        sessions.close();
        pending.close();
    }

    /** A client that has given up its connection is followed by a new one. */
    private ServiceClient client() {
        ServiceClient current = client;
        return current.isOpen() ? current : replace(current);
    }

    private synchronized ServiceClient replace(ServiceClient ended) {
        if (client == ended) {
            try {
                client = newClient();
                ended.disconnect();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return client;
    }
}
