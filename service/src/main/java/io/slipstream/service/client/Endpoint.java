package io.slipstream.service.client;

import io.slipstream.ipc.IpcChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where a service is.
 *
 * @param door that it has in shared memory; null if it is at a host and port
 */
record Endpoint(String host, int port, @Nullable Path door) {
    private static final String MEMORY = "ipc:";
    private static final int MAX_PORT = 65_535;

    /**
     * Reads {@code HOST:PORT} or {@code ipc:NAME}.
     *
     * @throws IllegalArgumentException if it is neither
     */
    static Endpoint of(String address) {
        int colon = address.lastIndexOf(':');
        if (address.startsWith(MEMORY)) {
            return new Endpoint("", 0, IpcChannel.named(address.substring(MEMORY.length())));
        }
        try {
            int port = Integer.parseInt(address.substring(colon + 1));
            if (colon > 0 && port > 0 && port <= MAX_PORT) {
                return new Endpoint(address.substring(0, colon), port, null);
            }
        } catch (NumberFormatException e) {
            // The message below says it.
        }
        throw new IllegalArgumentException("the address of a service is HOST:PORT or ipc:NAME, not " + address);
    }

    /** Reads one or several of them with commas between them. */
    static List<Endpoint> all(String addresses) {
        return Arrays.stream(addresses.split(",", -1))
                .map(each -> of(each.strip()))
                .toList();
    }

    /** Returns {@code endpoints} as {@link #all} reads them. */
    static String text(List<Endpoint> endpoints) {
        return endpoints.stream().map(Endpoint::toString).collect(Collectors.joining(","));
    }

    @Override
    public String toString() {
        return door == null ? host + ":" + port : door.toString();
    }
}
