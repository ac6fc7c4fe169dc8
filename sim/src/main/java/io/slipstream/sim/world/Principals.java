package io.slipstream.sim.world;

import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.security.Authenticator;
import io.slipstream.service.security.ClientLimits;
import io.slipstream.service.security.Credentials;
import io.slipstream.service.security.DeniedException;
import io.slipstream.service.security.Identity;
import io.slipstream.service.security.Rights;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * Who gets in where clients are asked who they are: whoever has a token, which has his name. Visitors may only look.
 */
public final class Principals implements Authenticator {
    /** Who may send no command. */
    public static final String VISITOR = "visitor";

    private static final String TOKEN = "the token of ";
    private static final Rights LOOKS = (type, memory, offset, length) -> type != MessageType.COMMAND;

    /** Creates them. */
    public Principals() {}

    /** Returns the token of the client with that name. */
    public static String token(String name) {
        return TOKEN + name;
    }

    @Override
    public Identity authenticate(Credentials credentials) throws DeniedException {
        String token = new String(credentials.token(), StandardCharsets.UTF_8);
        if (!token.startsWith(TOKEN)) {
            throw new DeniedException("this is no token");
        }
        String name = token.substring(TOKEN.length());
        return new Identity(name, name.equals(VISITOR) ? LOOKS : Rights.ALL, ClientLimits.NONE, Instant.MAX);
    }
}
