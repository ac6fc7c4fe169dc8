package io.slipstream.http.call;

import io.slipstream.http.config.Upstream;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.protocol.Busy;
import io.slipstream.service.protocol.ConnectionNumbers;
import java.security.SecureRandom;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The sessions that have a connection: the ones used last. One that loses it is only disconnected, not ended. */
final class SessionPool implements AutoCloseable {
    private static final long RETRY_NANOS = 1_000_000_000;

    /** A service that does not let the gateway in will not do so a moment later. */
    private static final long PAUSE_NANOS = 2_000_000_000;

    private final Upstream service;
    private final int most;
    private final Map<Long, KeyedSession> sessions = new LinkedHashMap<>(16, 0.75f, true);
    private final ConnectionNumbers numbers = new ConnectionNumbers(new SecureRandom()::nextLong);
    private volatile @Nullable Shut shut;

    private record Shut(ServiceException why, long sinceNanos) {}

    SessionPool(Upstream service, int most) {
        this.service = service;
        this.most = most;
    }

    CompletableFuture<Reply> send(IdempotencyKey key, byte[] payload) {
        try {
            return session(key.session()).send(key.number(), payload);
        } catch (RefusedException | ServiceException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public synchronized void close() {
        sessions.values().forEach(KeyedSession::close);
        sessions.clear();
    }

    private synchronized KeyedSession session(long key) {
        KeyedSession known = sessions.get(key);
        if (known != null && known.isOpen()) {
            return known;
        }
        sessions.remove(key);
        Shut before = shut;
        if (before != null && System.nanoTime() - before.sinceNanos < PAUSE_NANOS) {
            throw new ServiceException(before.why.code(), String.valueOf(before.why.getMessage()));
        }
        if (sessions.size() >= most) {
            makeRoom();
        }
        KeyedSession opened =
                KeyedSession.open(service, key, numbers.next(), why -> shut = new Shut(why, System.nanoTime()));
        sessions.put(key, opened);
        return opened;
    }

    private void makeRoom() {
        Iterator<KeyedSession> oldestFirst = sessions.values().iterator();
        while (oldestFirst.hasNext()) {
            KeyedSession each = oldestFirst.next();
            if (each.isIdle()) {
                each.close();
                oldestFirst.remove();
                return;
            }
        }
        throw new RefusedException(
                Busy.Reason.PENDING, "all " + most + " sessions of the gateway wait for answers", RETRY_NANOS);
    }
}
