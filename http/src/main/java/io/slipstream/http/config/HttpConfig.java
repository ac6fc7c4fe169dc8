package io.slipstream.http.config;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a gateway; immutable.
 *
 * @param address to listen on
 * @param tls     the certificate; null for plain HTTP
 * @param tokens  and who sends them; with none, everybody who reaches the address may do everything
 * @param origins of web pages elsewhere that may call, such as {@code https://desk.example}; none by default
 * @param limits  of requests
 */
public record HttpConfig(
        InetSocketAddress address,
        @Nullable Tls tls,
        Map<String, Bearer> tokens,
        Set<String> origins,
        HttpLimits limits) {
    /** Copies the collections. */
    public HttpConfig {
        tokens = Map.copyOf(tokens);
        origins = Set.copyOf(origins);
    }

    /** Returns the defaults: loopback, plain, no tokens, no other origins. */
    public static HttpConfig onPort(int port) {
        return at(new InetSocketAddress("127.0.0.1", port));
    }

    /** Returns the defaults at an address. */
    public static HttpConfig at(InetSocketAddress address) {
        return new HttpConfig(address, null, Map.of(), Set.of(), HttpLimits.DEFAULT);
    }

    /** Returns the same with a certificate. */
    public HttpConfig withTls(Tls newTls) {
        return new HttpConfig(address, newTls, tokens, origins, limits);
    }

    /** Returns the same with these tokens, and who sends each of them. */
    public HttpConfig withTokens(Map<String, Bearer> newTokens) {
        return new HttpConfig(address, tls, newTokens, origins, limits);
    }

    /** Returns the same with these origins. */
    public HttpConfig withOrigins(Set<String> newOrigins) {
        return new HttpConfig(address, tls, tokens, newOrigins, limits);
    }

    /** Returns the same with other limits. */
    public HttpConfig withLimits(HttpLimits newLimits) {
        return new HttpConfig(address, tls, tokens, origins, newLimits);
    }

    /** Does not show the tokens. */
    @Override
    public String toString() {
        return "HttpConfig[" + address + (tls == null ? ", plain, " : ", TLS, ") + tokens.size() + " tokens, origins "
                + origins + ", " + limits + "]";
    }
}
