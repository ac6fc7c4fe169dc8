package io.slipstream.service.security;

import java.security.cert.X509Certificate;
import java.util.List;

/**
 * What a client shows when it logs in.
 *
 * @param token        a secret; empty for none. It never gets into the log
 * @param certificates of the client, its own first; empty for none. TLS has proved that it has the key, and that they
 *                     are trusted and valid
 * @param remote       address and port that it comes from
 */
public record Credentials(byte[] token, List<X509Certificate> certificates, String remote) {
    /** The longest token in bytes. */
    public static final int MAX_TOKEN_BYTES = 1024;

    /** Says who it comes from, and no secret. */
    @Override
    public String toString() {
        return "credentials from " + remote;
    }
}
