package io.slipstream.service;

import io.slipstream.service.client.ServiceClient;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;

/** Clients that wait as long as all tests do. */
public final class TestClients {
    private TestClients() {}

    /** Connects to the service at that port of this machine. */
    public static ServiceClient connect(int port) throws IOException {
        return builder(port).connect();
    }

    /** Begins to describe a client of the service at that port of this machine. */
    public static ServiceClient.Builder builder(int port) {
        return patient(ServiceClient.builder("127.0.0.1", port));
    }

    /** Begins to describe a client that comes through that door. */
    public static ServiceClient.Builder builder(Path door) {
        return patient(ServiceClient.builder(door));
    }

    private static ServiceClient.Builder patient(ServiceClient.Builder client) {
        return client.timeout(Await.PATIENCE).connectTimeout(Await.PATIENCE).reconnectTimeout(Await.PATIENCE);
    }
}
