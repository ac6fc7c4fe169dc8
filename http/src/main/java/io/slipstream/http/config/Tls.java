package io.slipstream.http.config;

import java.nio.file.Path;

/**
 * The certificate of a gateway.
 *
 * @param keyStore PKCS #12 file with key and certificate
 * @param password of the file and of its key
 */
public record Tls(Path keyStore, String password) {
    /** Does not show the password. */
    @Override
    public String toString() {
        return "Tls[" + keyStore + "]";
    }
}
