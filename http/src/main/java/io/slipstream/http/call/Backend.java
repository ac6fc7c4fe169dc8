package io.slipstream.http.call;

import io.slipstream.http.config.HttpLimits;
import io.slipstream.http.config.Upstream;
import io.slipstream.service.client.BusyException;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.protocol.FailureCode;
import io.slipstream.service.protocol.Status;
import io.slipstream.service.security.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The service behind a gateway. Any thread. Requests never wait in the caller's thread; those that ask how the service
 * is have a connection of their own, and so do not wait behind the others.
 */
public final class Backend implements AutoCloseable {
    static final int WINDOW_BYTES = 1 << 20;
    private static final int PROBE_WINDOW_BYTES = 1 << 12;
    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(1);

    private final HttpLimits limits;
    private final Pending pending;
    private final KeyUses uses = new KeyUses();
    private volatile @Nullable Link link;

    private record Link(
            Upstream service, LastingClient client, LastingClient prober, SendQueue queue, SessionPool sessions) {}

    /** Creates it without a service: until {@link #connect} everything is refused. */
    public Backend(HttpLimits limits) {
        this.limits = limits;
        this.pending = new Pending(limits);
    }

    /** Begins to connect to the service; once. */
    public synchronized void connect(Upstream service) throws IOException {
        if (link != null) {
            throw new IllegalStateException("the gateway has a service already");
        }
        LastingClient client =
                new LastingClient(() -> atOnce(builder(service, WINDOW_BYTES)).begin());
        link = new Link(
                service,
                client,
                new LastingClient(() -> begin(service, PROBE_WINDOW_BYTES)),
                new SendQueue(client),
                new SessionPool(bytes -> session(service, bytes), limits.sessions()));
    }

    /** Returns whether {@link #connect} was called. */
    public boolean isConnected() {
        return link != null;
    }

    /**
     * Sends a command of that type; fails with {@link RefusedException}, with {@link ReusedKeyException} if the key is
     * known to be that of a command of another type, or with what a {@link ServiceClient} throws.
     *
     * @param batch that it belongs to; null for one that came alone
     */
    public CompletableFuture<Reply> command(
            String type, byte[] payload, @Nullable IdempotencyKey key, @Nullable Batch batch) {
        if (key == null) {
            return send(payload, batch, found -> found.queue.send(payload, false));
        }
        boolean isFirst;
        try {
            isFirst = uses.use(key, type);
        } catch (ReusedKeyException e) {
            return CompletableFuture.failedFuture(e);
        }
        CompletableFuture<Reply> answer = send(payload, batch, found -> found.sessions.send(key, payload));
        return isFirst ? answer.whenComplete((_, failure) -> forgetRefused(key, failure)) : answer;
    }

    /** Begins a batch: its requests wait for room in the service for up to half of the time for an answer. */
    public Batch newBatch() {
        return new Batch(limits.answerTime().toNanos() / 2);
    }

    /** Asks something; fails as {@link #command}. */
    public CompletableFuture<Reply> query(byte[] payload, @Nullable Batch batch) {
        return send(payload, batch, found -> found.queue.send(payload, true));
    }

    /** Asks the service how it is, and waits. */
    public Status status() {
        return linked().prober.get().status();
    }

    /** Returns a client of its own for a stream of items. */
    public ServiceClient newClient() throws IOException {
        return begin(linked().service, WINDOW_BYTES);
    }

    /** Returns how many requests wait for an answer. */
    public int pending() {
        return pending.count();
    }

    /** Returns how many may. */
    public int maxPending() {
        return pending.most();
    }

    /** Returns how many bytes the requests have that wait for an answer. */
    public long pendingBytes() {
        return pending.bytes();
    }

    /** Returns how many they may have. */
    public int maxPendingBytes() {
        return pending.mostBytes();
    }

    /** Returns whether one more request would be refused. */
    public boolean isFull() {
        return pending.isFull();
    }

    @Override
    public synchronized void close() {
        Link found = link;
        if (found != null) {
            found.queue.close();
            found.client.close();
            found.prober.close();
            found.sessions.close();
        }
        pending.close();
    }

    private CompletableFuture<Reply> send(
            byte[] payload, @Nullable Batch batch, Function<Link, CompletableFuture<Reply>> way) {
        return pending.send(
                payload.length,
                batch == null ? () -> way.apply(linked()) : () -> batch.send(() -> way.apply(linked())));
    }

    private Link linked() {
        Link found = link;
        if (found == null) {
            throw RefusedException.ofNoService("the service is starting");
        }
        return found;
    }

    private void forgetRefused(IdempotencyKey key, @Nullable Throwable failure) {
        if (failure instanceof RefusedException
                || failure instanceof BusyException
                || failure instanceof ServiceException refused && refused.code() == FailureCode.UNAUTHENTICATED) {
            uses.forget(key);
        }
    }

    /** Returns for how long a request waits for a service that is not there. */
    private static Duration longestConnect(Duration answerTime) {
        Duration half = answerTime.dividedBy(2);
        return half.compareTo(LONGEST_CONNECT) < 0 ? half : LONGEST_CONNECT;
    }

    private ServiceClient begin(Upstream service, int windowBytes) throws IOException {
        return builder(service, windowBytes).begin();
    }

    private ServiceClient.Builder builder(Upstream service, int windowBytes) {
        Path door = service.door();
        return door == null
                ? byAddress(service, windowBytes)
                : described(ServiceClient.builder(door), service, windowBytes);
    }

    /** Sessions are many, and a door takes memory for each. */
    private ServiceClient.Builder session(Upstream service, int windowBytes) {
        return atOnce(byAddress(service, windowBytes));
    }

    private ServiceClient.Builder byAddress(Upstream service, int windowBytes) {
        InetSocketAddress address = service.address();
        Tls tls = service.tls();
        ServiceClient.Builder builder = ServiceClient.builder(address.getHostString(), address.getPort());
        return described(tls == null ? builder : builder.tls(tls), service, windowBytes);
    }

    private ServiceClient.Builder described(ServiceClient.Builder builder, Upstream service, int windowBytes) {
        String token = service.token();
        return (token == null ? builder : builder.token(token))
                .windowBytes(windowBytes)
                .timeout(limits.answerTime());
    }

    /** What was sent is answered as soon as its connection is lost, and not sent again behind that. */
    private ServiceClient.Builder atOnce(ServiceClient.Builder builder) {
        return builder.connectTimeout(longestConnect(limits.answerTime())).reconnectTimeout(Duration.ZERO);
    }
}
