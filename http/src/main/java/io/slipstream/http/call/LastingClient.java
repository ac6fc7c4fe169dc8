package io.slipstream.http.call;

import io.slipstream.service.client.ServiceClient;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A client of the service. One that has given up its connection is followed by a new one, but not sooner than some
 * seconds after it began: a service that does not let it in will not do so a moment later. Any thread.
 */
final class LastingClient implements AutoCloseable {
    /** Begins to connect. */
    interface Begin {
        ServiceClient begin() throws IOException;
    }

    private static final long PAUSE_NANOS = 2_000_000_000;

    private final Begin begin;
    private long begunNanos;
    private volatile ServiceClient client;

    LastingClient(Begin begin) throws IOException {
        this.begin = begin;
        this.begunNanos = System.nanoTime();
        this.client = begin.begin();
    }

    /** Returns the present client; one that has ended says why, to whoever uses it. */
    ServiceClient get() {
        ServiceClient current = client;
        return current.isOpen() ? current : replace(current);
    }

    @Override
    public void close() {
        client.close();
    }

    private synchronized ServiceClient replace(ServiceClient ended) {
        long now = System.nanoTime();
        if (client == ended && now - begunNanos >= PAUSE_NANOS) {
            begunNanos = now;
            try {
                client = begin.begin();
                ended.disconnect();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return client;
    }
}
