package io.slipstream.service;

import io.slipstream.service.client.ServiceClient;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

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

    /**
     * Tries to connect until {@code client} is told why it cannot, in words that contain all of {@code said}: a machine
     * that is busy may not answer before it gives up.
     *
     * @param client who gives up soon
     * @return the words
     */
    public static String refusal(ServiceClient.Builder client, String... said) throws Exception {
        return Await.value(
                "a refusal that says " + List.of(said),
                () -> refusal(client),
                text -> Arrays.stream(said).allMatch(text::contains));
    }

    private static String refusal(ServiceClient.Builder client) {
        try (ServiceClient lucky = client.connect()) {
            return "it is connected: " + lucky;
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static ServiceClient.Builder patient(ServiceClient.Builder client) {
        return client.timeout(Await.PATIENCE).connectTimeout(Await.PATIENCE).reconnectTimeout(Await.PATIENCE);
    }
}
