package io.slipstream.http.web;

import io.slipstream.http.config.Bearer;
import io.slipstream.http.config.HttpConfig;
import io.slipstream.http.config.Role;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what. A token comes as {@code Authorization: Bearer TOKEN}, or as the password of {@code Basic}, which
 * browsers ask for.
 */
final class Access {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]", "::1");
    private static final Pattern ADDRESS =
            Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|\\[[0-9a-f:.]+]|[0-9a-f.]*:[0-9a-f:.]+");

    private final Map<String, Bearer> tokens;
    private final Set<String> origins;
    private final Set<String> names;
    private final boolean isLocal;

    Access(HttpConfig config) {
        this.tokens = config.tokens();
        this.origins = config.origins();
        this.names = config.names();
        this.isLocal = config.isLocal();
    }

    /** Returns why the request is not let in, or null. */
    @Nullable
    Problem refusal(Request request, boolean writes) {
        if (tokens.isEmpty()) {
            return isOurs(Request.getServerName(request))
                    ? null
                    : Problem.of(
                            421,
                            "wrong-host",
                            isLocal
                                    ? "this gateway is for this machine; ask for localhost, or set a token"
                                    : "this gateway does not know itself by that name: ask for its address, tell it "
                                            + "its names, or set a token");
        }
        Bearer bearer = bearer(request);
        if (bearer == null) {
            return Problem.of(401, "unauthenticated", "send a valid token as Authorization: Bearer TOKEN");
        }
        return writes && bearer.role() != Role.WRITE ? Problem.of(403, "forbidden", "this token may read only") : null;
    }

    /** A page of another site comes by a name that its owner has chosen, never by an address. */
    private boolean isOurs(@Nullable String host) {
        if (host == null) {
            return false;
        }
        String name = host.toLowerCase(Locale.ROOT);
        return LOOPBACK.contains(name)
                || names.contains(name)
                || !isLocal && ADDRESS.matcher(name).matches();
    }

    /** Returns whose rate a request counts for: that of the bearer of a token, or of an address. */
    String client(Request request) {
        Bearer bearer = bearer(request);
        return bearer == null ? Request.getRemoteAddr(request) : "bearer " + bearer.name();
    }

    /**
     * Returns whose idempotency keys a request uses: those of the bearer of a token, or, without tokens, those that all
     * share. Never an address or a secret: both change while a client repeats a command.
     */
    String owner(Request request) {
        Bearer bearer = bearer(request);
        return bearer == null ? "" : bearer.name();
    }

    /** Lets the pages of known origins read the response; returns whether that was all that was asked for. */
    boolean answersOrigin(Request request, Response response) {
        String origin = request.getHeaders().get(HttpHeader.ORIGIN);
        if (origins.isEmpty() || origin == null) {
            return false;
        }
        response.getHeaders().add(HttpHeader.VARY, "Origin");
        if (!origins.contains(origin)) {
            return false;
        }
        response.getHeaders().put("Access-Control-Allow-Origin", origin);
        response.getHeaders().put("Access-Control-Expose-Headers", "Retry-After");
        if (HttpMethod.OPTIONS.is(request.getMethod())) {
            response.getHeaders().put("Access-Control-Allow-Methods", "GET, POST");
            response.getHeaders()
                    .put("Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key, Last-Event-ID");
            response.getHeaders().put("Access-Control-Max-Age", "600");
            return true;
        }
        return false;
    }

    private @Nullable Bearer bearer(Request request) {
        String token = tokens.isEmpty() ? null : token(request);
        if (token == null) {
            return null;
        }
        byte[] given = token.getBytes(StandardCharsets.UTF_8);
        Bearer found = null;
        for (Map.Entry<String, Bearer> each : tokens.entrySet()) {
            // Each of them is looked at for as long, so that time tells nothing.
            if (MessageDigest.isEqual(given, each.getKey().getBytes(StandardCharsets.UTF_8))) {
                found = each.getValue();
            }
        }
        return found;
    }

    private static @Nullable String token(Request request) {
        String header = request.getHeaders().get(HttpHeader.AUTHORIZATION);
        if (header == null) {
            return null;
        }
        if (header.regionMatches(true, 0, "Bearer ", 0, 7)) {
            return header.substring(7).trim();
        }
        if (header.regionMatches(true, 0, "Basic ", 0, 6)) {
            try {
                String both = new String(
                        Base64.getDecoder().decode(header.substring(6).trim()), StandardCharsets.UTF_8);
                return both.substring(both.indexOf(':') + 1);
            } catch (IllegalArgumentException e) {
                return null;
            }
        }
        return null;
    }
}
