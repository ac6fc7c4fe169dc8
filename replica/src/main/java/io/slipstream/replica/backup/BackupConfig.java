package io.slipstream.replica.backup;

import io.slipstream.core.thread.Patience;
import io.slipstream.replica.wire.Token;
import io.slipstream.service.security.Tls;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a backup site listens.
 *
 * @param address of the sites' own conversation; port 0 takes any free one
 * @param token   that both sites know, of at least eight characters
 * @param tls     of a service where it listens, of a client who asks it; null for none
 * @param silence how long the other side may say nothing before it is taken for gone
 */
public record BackupConfig(
        InetSocketAddress address, String token, @Nullable Tls tls, Duration silence) {
    /**
     * Checks that the token is long enough, and that a primary, which speaks several times a second, can be told from
     * one that is gone.
     */
    public BackupConfig {
        Objects.requireNonNull(address, "address");
        Token.requireLong(Objects.requireNonNull(token, "token"));
        silence = Patience.countable(silence);
        if (silence.toMillis() < 1_000 || silence.toMillis() > 600_000) {
            throw new IllegalArgumentException("silence lasts from 1 second to 10 minutes, not " + silence);
        }
    }

    /** Returns a configuration without TLS, where ten seconds of silence end a connection. */
    public static BackupConfig of(InetSocketAddress address, String token) {
        return new BackupConfig(address, token, null, Duration.ofSeconds(10));
    }

    /** Returns a copy that speaks TLS: that of a service for a backup site, that of a client for who asks it. */
    public BackupConfig withTls(Tls newTls) {
        return new BackupConfig(address, token, newTls, silence);
    }

    /** Returns a copy that takes the other side for gone when it has said nothing for so long. */
    public BackupConfig withSilence(Duration newSilence) {
        Objects.requireNonNull(newSilence, "newSilence");
        return new BackupConfig(address, token, tls, newSilence);
    }
}
