package io.slipstream.http.call;

import io.slipstream.service.client.ServiceClient;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A client of the service. One that has given up its connection is followed by a new one. Any thread. */
final class LastingClient implements AutoCloseable {
    /** Begins to connect. */
    interface Begin {
        ServiceClient begin() throws IOException;
    }

    private final Begin begin;
    private volatile ServiceClient client;

    LastingClient(Begin begin) throws IOException {
        this.begin = begin;
        this.client = begin.begin();
    }

    ServiceClient get() {
        ServiceClient current = client;
        return current.isOpen() ? current : replace(current);
    }

    @Override
    public void close() {
        client.close();
    }

    private synchronized ServiceClient replace(ServiceClient ended) {
        if (client == ended) {
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
