package io.slipstream.replica.backup;

import org.jspecify.annotations.Nullable;

import javax.net.ssl.SSLContext;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Where a backup site listens.
 *
 * @param address of the sites' own conversation; port 0 takes any free one
 * @param token   that both sites know, of at least eight characters
 * @param tls     speaks TLS with its certificate; null for none
 * @param silence how long the other side may say nothing before it is taken for gone
 */
public record BackupConfig(InetSocketAddress address, String token, @Nullable SSLContext tls, Duration silence) {
    /** Checks that a primary, which speaks several times a second, can be told from one that is gone. */
    public BackupConfig {
        if (silence.toMillis() < 1_000 || silence.toMillis() > 600_000) {
            throw new IllegalArgumentException("silence lasts from 1 second to 10 minutes, not " + silence);
        }
    }

    /** Returns a configuration without TLS, where ten seconds of silence end a connection. */
    public static BackupConfig of(InetSocketAddress address, String token) {
        return new BackupConfig(address, token, null, Duration.ofSeconds(10));
    }

    /** Returns a copy that speaks TLS with the certificate of {@code context}; as a client, trusts what that trusts. */
    public BackupConfig withTls(SSLContext context) {
        return new BackupConfig(address, token, context, silence);
    }

    /** Returns a copy that takes the other side for gone when it has said nothing for so long. */
    public BackupConfig withSilence(Duration newSilence) {
        return new BackupConfig(address, token, tls, newSilence);
    }
}
