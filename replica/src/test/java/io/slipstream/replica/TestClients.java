package io.slipstream.replica;

import io.slipstream.service.client.ServiceClient;
import io.slipstream.testkit.Await;
import java.io.IOException;

/** Clients that wait as long as all tests do. */
final class TestClients {
    private TestClients() {}

    /** Connects to the service at that port of this machine. */
    static ServiceClient connect(int port) throws IOException {
        return builder(port).connect();
    }

    /** Begins to describe a client of the service at that port of this machine. */
    static ServiceClient.Builder builder(int port) {
        return ServiceClient.builder("127.0.0.1", port)
                .timeout(Await.PATIENCE)
                .connectTimeout(Await.PATIENCE)
                .reconnectTimeout(Await.PATIENCE);
    }
}
