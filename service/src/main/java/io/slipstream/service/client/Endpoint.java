package io.slipstream.service.client;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;

/**
 * Where a service is.
 *
 * @param door that it has in shared memory; null if it is at a host and port
 */
record Endpoint(String host, int port, @Nullable Path door) {
    @Override
    public String toString() {
        return door == null ? host + ":" + port : door.toString();
    }
}
