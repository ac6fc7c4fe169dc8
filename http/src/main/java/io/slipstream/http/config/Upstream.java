package io.slipstream.http.config;

import io.slipstream.service.security.Tls;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The service behind a gateway; immutable.
 *
 * @param address  where the native protocol is spoken
 * @param token    that the gateway logs in with; null if the service asks for none
 * @param tls      how the gateway speaks TLS to the service; null if the service speaks none
 * @param counters file of the process of the service, for the dashboard and the metrics; null if it has none
 * @param door     through which the gateway reaches a service of this machine by shared memory, but for sessions of
 *                 idempotency keys, which are many; null for the address alone
 */
public record Upstream(
        InetSocketAddress address,
        @Nullable String token,
        @Nullable Tls tls,
        @Nullable Path counters,
        @Nullable Path door) {
    /** Checks that there is an address. */
    public Upstream {
        Objects.requireNonNull(address, "address");
    }

    /** Returns a service that asks for no token and shows no counters. */
    public static Upstream at(InetSocketAddress address) {
        return new Upstream(address, null, null, null, null);
    }

    /** Returns the same with a token. */
    public Upstream withToken(String newToken) {
        return new Upstream(address, newToken, tls, counters, door);
    }

    /** Returns the same over TLS; see {@link Tls#client}. The name of the host must be in the certificate. */
    public Upstream withTls(Tls newTls) {
        return new Upstream(address, token, newTls, counters, door);
    }

    /** Returns the same with a file of counters. */
    public Upstream withCounters(Path newCounters) {
        return new Upstream(address, token, tls, newCounters, door);
    }

    /**
     * Returns the same with a door; see {@link io.slipstream.service.ServiceConfig#withSharedMemory}. A token is all
     * that the gateway can show there.
     */
    public Upstream withDoor(Path newDoor) {
        return new Upstream(address, token, tls, counters, newDoor);
    }

    /** Does not show the token. */
    @Override
    public String toString() {
        return "Upstream[" + address + (tls == null ? "" : ", TLS") + (token == null ? "]" : ", with a token]");
    }
}
