package io.slipstream.http.config;

import io.slipstream.core.thread.Patience;
import io.slipstream.service.security.Tls;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a gateway; immutable.
 *
 * @param address to listen on
 * @param tls     certificate and key; null for plain HTTP
 * @param tokens  and who sends them; with none, everybody who reaches the address may do everything
 * @param names   of this host, without a port, that requests without tokens may ask for, in small letters
 * @param origins of web pages elsewhere that may call, such as {@code https://desk.example}; none by default
 * @param isOpen  whether other machines get in without a token
 * @param limits  of requests
 * @param lookEvery how often the service is asked how it is
 */
public record HttpConfig(
        InetSocketAddress address,
        @Nullable Tls tls,
        Map<String, Bearer> tokens,
        Set<String> names,
        Set<String> origins,
        boolean isOpen,
        HttpLimits limits,
        Duration lookEvery) {
    private static final Duration USUAL_LOOK = Duration.ofMillis(100);
    private static final Duration SHORTEST_LOOK = Duration.ofMillis(10);
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(2);
    private static final Pattern NAME = Pattern.compile("[^\\s:/?#@]+|\\[[0-9a-f:.]+]");
    private static final Pattern ORIGIN = Pattern.compile("[a-z][a-z0-9+.-]*://(" + NAME.pattern() + ")(:[0-9]{1,5})?");

    /**
     * Copies the collections, and brings names and origins into the small letters in which they are compared.
     *
     * @throws IllegalArgumentException if one of them is of a form that no request can have, or looks are too rare
     */
    public HttpConfig {
        lookEvery = Patience.countable(lookEvery);
        if (lookEvery.compareTo(SHORTEST_LOOK) < 0 || lookEvery.compareTo(LONGEST_LOOK) > 0) {
            throw new IllegalArgumentException("a gateway asks how the service is each " + SHORTEST_LOOK.toMillis()
                    + " ms to " + LONGEST_LOOK.toSeconds() + " s, not each " + lookEvery);
        }
        tokens = Map.copyOf(tokens);
        names = checked(names, NAME, "is no name of a host: give it without scheme, port and path");
        origins = checked(
                origins,
                ORIGIN,
                "is no origin: one is a scheme and a host, and a port if it is not the usual one, such as "
                        + "https://desk.example");
    }

    private static Set<String> checked(Set<String> all, Pattern form, String otherwise) {
        return all.stream()
                .map(each -> {
                    String small = each.toLowerCase(Locale.ROOT);
                    if (!form.matcher(small).matches()) {
                        throw new IllegalArgumentException("'" + each + "' " + otherwise);
                    }
                    return small;
                })
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the defaults: loopback, plain, no tokens, no other origins. */
    public static HttpConfig onPort(int port) {
        return at(new InetSocketAddress("127.0.0.1", port));
    }

    /** Returns the defaults at an address. One that other machines reach needs tokens, or {@link #withOpenAccess}. */
    public static HttpConfig at(InetSocketAddress address) {
        return new HttpConfig(address, null, Map.of(), Set.of(), Set.of(), false, HttpLimits.DEFAULT, USUAL_LOOK);
    }

    /**
     * Returns the same by TLS, for HTTP/1.1 and HTTP/2; see {@link Tls#server}.
     *
     * @throws IllegalArgumentException if it is that of a client, or asks for certificates of clients, which nobody
     *                                  looks at here: those who may come by HTTP have tokens
     */
    public HttpConfig withTls(Tls newTls) {
        if (!newTls.isServer() || newTls.asksForCertificates()) {
            throw new IllegalArgumentException("a gateway takes Tls.server(certificate, key), and knows clients by"
                    + " their tokens, not by certificates");
        }
        return new HttpConfig(address, newTls, tokens, names, origins, isOpen, limits, lookEvery);
    }

    /** Returns the same with these tokens, and who sends each of them. */
    public HttpConfig withTokens(Map<String, Bearer> newTokens) {
        return new HttpConfig(address, tls, newTokens, names, origins, isOpen, limits, lookEvery);
    }

    /**
     * Returns the same with other names of this host. Without tokens a gateway answers only to {@code localhost}, to
     * these, and, if other machines reach it, to plain addresses. So a web page elsewhere cannot reach it by a name of
     * its own that leads here (DNS rebinding).
     */
    public HttpConfig withNames(Set<String> newNames) {
        return new HttpConfig(address, tls, tokens, newNames, origins, isOpen, limits, lookEvery);
    }

    /** Returns the same with these origins. */
    public HttpConfig withOrigins(Set<String> newOrigins) {
        return new HttpConfig(address, tls, tokens, names, newOrigins, isOpen, limits, lookEvery);
    }

    /** Returns the same, which lets everybody do everything who reaches the address, also from other machines. */
    public HttpConfig withOpenAccess() {
        return new HttpConfig(address, tls, tokens, names, origins, true, limits, lookEvery);
    }

    /** Returns the same with other limits. */
    public HttpConfig withLimits(HttpLimits newLimits) {
        return new HttpConfig(address, tls, tokens, names, origins, isOpen, newLimits, lookEvery);
    }

    /**
     * Returns the same, which asks the service how it is at this interval, from 10 ms to 2 s; 100 ms if unset. Each
     * question goes through all stages of the service. In a cluster it goes through the log, so there it should be
     * rare.
     */
    public HttpConfig withLookEvery(Duration newLookEvery) {
        Objects.requireNonNull(newLookEvery, "lookEvery");
        return new HttpConfig(address, tls, tokens, names, origins, isOpen, limits, newLookEvery);
    }

    /** Returns whether only this machine reaches the address. */
    public boolean isLocal() {
        return address.isUnresolved() || address.getAddress().isLoopbackAddress();
    }

    /**
     * Checks that nobody opens a gateway to the network by accident.
     *
     * @throws IllegalArgumentException if other machines reach the address, and nobody has said who may come
     */
    public void requireAccessSaid() {
        requireAccessSaid("withTokens", "withOpenAccess()");
    }

    /**
     * As {@link #requireAccessSaid()}, for whoever sets this up by other names: the message has those.
     *
     * @param tokenSetting what says who gets in
     * @param openSetting  what lets everybody in
     */
    public void requireAccessSaid(String tokenSetting, String openSetting) {
        if (!isLocal() && !isOpen && tokens.isEmpty()) {
            throw new IllegalArgumentException("whoever reaches " + address.getHostString() + ":" + address.getPort()
                    + " could send commands by HTTP: this gateway asks for no token. Say who gets in with "
                    + tokenSetting + ", listen on 127.0.0.1, or say " + openSetting + " if that is meant");
        }
    }

    /** Does not show the tokens. */
    @Override
    public String toString() {
        return "HttpConfig[" + address + (tls == null ? ", plain, " : ", TLS, ") + tokens.size() + " tokens"
                + (isOpen ? ", open, names " : ", names ") + names + ", origins " + origins + ", " + limits + "]";
    }
}
