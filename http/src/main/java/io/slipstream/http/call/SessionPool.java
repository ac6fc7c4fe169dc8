package io.slipstream.http.call;

import io.slipstream.service.client.ClientThread;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.protocol.Message;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The sessions that have a connection: the ones used last, all on one thread. One that loses it is only disconnected,
 * not ended.
 */
final class SessionPool implements AutoCloseable {
    private static final int LEAST_WINDOW_BYTES = 1 << 16;
    private static final int MOST_WINDOW_BYTES = Backend.WINDOW_BYTES;

    /** A service that does not let the gateway in will not do so a moment later. */
    private static final long PAUSE_NANOS = 2_000_000_000;

    private final IntFunction<ServiceClient.Builder> service;
    private final int most;
    private final ClientThread thread =
            ClientThread.builder("slipstream-http-sessions").daemon().start();
    private final Map<Long, KeyedCommands> sessions = new LinkedHashMap<>(16, 0.75f, true);
    private volatile @Nullable Shut shut;

    private record Shut(ServiceException why, long sinceNanos) {}

    /**
     * Creates one without sessions.
     *
     * @param service describes a client of it, with a window of so many bytes
     */
    SessionPool(IntFunction<ServiceClient.Builder> service, int most) throws IOException {
        this.service = service;
        this.most = most;
    }

    CompletableFuture<Reply> send(IdempotencyKey key, byte[] payload) {
        try {
            return session(key.session(), payload.length).send(key.number(), payload);
        } catch (RefusedException | ServiceException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public synchronized void close() {
        thread.close();
        sessions.values().forEach(KeyedCommands::close);
        sessions.clear();
    }

    private synchronized KeyedCommands session(long key, int length) {
        KeyedCommands known = sessions.get(key);
        if (known != null) {
            if (!known.isOpen()) {
                known.close();
            } else if (Math.min(length, longest(MOST_WINDOW_BYTES)) <= known.longest()) {
                return known;
            } else if (!known.closeIfIdle()) {
                throw RefusedException.ofRoom("the session of this idempotency key has shorter commands under way");
            }
            sessions.remove(key);
        }
        Shut before = shut;
        if (before != null && System.nanoTime() - before.sinceNanos < PAUSE_NANOS) {
            throw new ServiceException(before.why.code(), String.valueOf(before.why.getMessage()));
        }
        if (sessions.size() >= most) {
            makeRoom();
        }
        KeyedCommands opened = open(key, length);
        sessions.put(key, opened);
        return opened;
    }

    /** With a window that its commands are likely to fit into: there may be many sessions. */
    private KeyedCommands open(long key, int length) {
        int windowBytes = LEAST_WINDOW_BYTES;
        while (longest(windowBytes) < length && windowBytes < MOST_WINDOW_BYTES) {
            windowBytes *= 2;
        }
        try {
            ServiceClient client =
                    service.apply(windowBytes).thread(thread).session(key).begin();
            return new KeyedCommands(
                    thread, client, longest(windowBytes), why -> shut = new Shut(why, System.nanoTime()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int longest(int windowBytes) {
        return windowBytes / 2 - Message.HEADER_BYTES;
    }

    private void makeRoom() {
        Iterator<KeyedCommands> oldestFirst = sessions.values().iterator();
        while (oldestFirst.hasNext()) {
            if (oldestFirst.next().closeIfIdle()) {
                oldestFirst.remove();
                return;
            }
        }
        throw RefusedException.ofRoom("all " + most + " sessions of the gateway wait for answers");
    }
}
