package io.slipstream.http.call;

import io.slipstream.http.config.HttpLimits;
import io.slipstream.http.config.Upstream;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.protocol.Busy;
import io.slipstream.service.protocol.Status;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The service behind a gateway. Any thread. */
public final class Backend implements AutoCloseable {
    private static final int WINDOW_BYTES = 1 << 20;
    private static final long RETRY_NANOS = 1_000_000_000;

    private final Upstream service;
    private final HttpLimits limits;
    private final SessionPool sessions;
    private final AtomicInteger pending = new AtomicInteger();
    private volatile ServiceClient client;

    /** Begins to connect to a service. */
    public Backend(Upstream service, HttpLimits limits) throws IOException {
        this.service = service;
        this.limits = limits;
        this.sessions = new SessionPool(service, limits.sessions());
        this.client = newClient();
    }

    /** Sends a command; fails with {@link RefusedException} or what a {@link ServiceClient} throws. */
    public CompletableFuture<Reply> command(byte[] payload, @Nullable IdempotencyKey key) {
        if (!enter()) {
            return tooMany();
        }
        CompletableFuture<Reply> reply;
        try {
            reply = key == null ? client().send(payload) : sessions.send(key, payload);
        } catch (RuntimeException e) {
            reply = CompletableFuture.failedFuture(e);
        }
        return leaving(reply);
    }

    /** Asks something; fails as {@link #command}. */
    public CompletableFuture<Reply> query(byte[] payload) {
        if (!enter()) {
            return tooMany();
        }
        CompletableFuture<Reply> reply;
        try {
            reply = client().queryAsync(payload);
        } catch (RuntimeException e) {
            reply = CompletableFuture.failedFuture(e);
        }
        return leaving(reply);
    }

    /** Asks the service how it is, and waits. */
    public Status status() {
        return client().status();
    }

    /** Returns a client of its own for a stream of items. */
    public ServiceClient newClient() throws IOException {
        ServiceClient.Builder builder = ServiceClient.builder(service.address().getHostString(),
                service.address().getPort()).windowBytes(WINDOW_BYTES).timeout(limits.answerTime());
        String token = service.token();
        return (token == null ? builder : builder.token(token)).begin();
    }

    /** Returns how many requests wait for an answer. */
    public int pending() {
        return pending.get();
    }

    /** Returns how many may. */
    public int maxPending() {
        return limits.pending();
    }

    @Override
    public void close() {
        client.close();
        sessions.close();
    }

    private boolean enter() {
        if (pending.incrementAndGet() > limits.pending()) {
            pending.decrementAndGet();
            return false;
        }
        return true;
    }

    private CompletableFuture<Reply> leaving(CompletableFuture<Reply> reply) {
        // Before the callers' stages, so that who has an answer no longer counts.
        return reply.copy().orTimeout(limits.answerTime().toNanos(), TimeUnit.NANOSECONDS)
                .whenComplete((_, _) -> pending.decrementAndGet());
    }

    private CompletableFuture<Reply> tooMany() {
        return CompletableFuture.failedFuture(new RefusedException(Busy.Reason.PENDING,
                limits.pending() + " requests wait for the service already", RETRY_NANOS));
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
