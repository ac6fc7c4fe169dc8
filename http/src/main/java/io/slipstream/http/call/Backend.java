package io.slipstream.http.call;

import io.slipstream.http.config.HttpLimits;
import io.slipstream.http.config.Upstream;
import io.slipstream.service.client.ConnectionLostException;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.protocol.Busy;
import io.slipstream.service.protocol.Status;
import io.slipstream.service.security.Tls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The service behind a gateway. Any thread. */
public final class Backend implements AutoCloseable {
    private static final int WINDOW_BYTES = 1 << 20;
    private static final long RETRY_NANOS = 1_000_000_000;

    private final Upstream service;
    private final HttpLimits limits;
    private final SessionPool sessions;
    private final Pending pending;
    private final KeyUses uses = new KeyUses();
    private volatile ServiceClient client;

    /** Begins to connect to a service. */
    public Backend(Upstream service, HttpLimits limits) throws IOException {
        this.service = service;
        this.limits = limits;
        this.sessions = new SessionPool(service, limits.sessions());
        this.client = newClient();
        this.pending = new Pending(limits);
    }

    /**
     * Sends a command of that type; fails with {@link RefusedException}, with {@link ReusedKeyException} if the key is
     * known to be that of a command of another type, or with what a {@link ServiceClient} throws.
     */
    public CompletableFuture<Reply> command(String type, byte[] payload, @Nullable IdempotencyKey key) {
        if (key == null) {
            return pending.send(() -> send(payload));
        }
        boolean isFirst;
        try {
            isFirst = uses.use(key, type);
        } catch (ReusedKeyException e) {
            return CompletableFuture.failedFuture(e);
        }
        CompletableFuture<Reply> answer = pending.send(() -> sessions.send(key, payload));
        return isFirst ? answer.whenComplete((_, failure) -> forgetRefused(key, failure)) : answer;
    }

    /**
     * What the client does not take at once was not sent; a connection that is lost later leaves the outcome unknown.
     */
    private CompletableFuture<Reply> send(byte[] payload) {
        try {
            return client().send(payload);
        } catch (ConnectionLostException e) {
            throw new RefusedException(Busy.Reason.PENDING, String.valueOf(e.getMessage()), RETRY_NANOS);
        }
    }

    private void forgetRefused(IdempotencyKey key, @Nullable Throwable failure) {
        if (failure instanceof RefusedException) {
            uses.forget(key);
        }
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
