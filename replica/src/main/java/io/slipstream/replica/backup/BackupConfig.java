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
    /** Returns a configuration without TLS, where ten seconds of silence end a connection. */
    public static BackupConfig of(InetSocketAddress address, String token) {
        return new BackupConfig(address, token, null, Duration.ofSeconds(10));
    }
}
