package io.slipstream.http.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import java.util.Collections;

/**
 * The certificate of a gateway.
 *
 * @param keyStore PKCS #12 file with key and certificate
 * @param password of the file and of its key
 */
public record Tls(Path keyStore, String password) {
    /**
     * Reads the file.
     *
     * @throws IOException if it cannot be read, has another password, or holds no key; the message names the file
     */
    public KeyStore load() throws IOException {
        if (!Files.isReadable(keyStore)) {
            throw new IOException("there is no certificate to be read at " + keyStore);
        }
        try (InputStream in = Files.newInputStream(keyStore)) {
            KeyStore loaded = KeyStore.getInstance("PKCS12");
            loaded.load(in, password.toCharArray());
            for (String alias : Collections.list(loaded.aliases())) {
                if (loaded.isKeyEntry(alias)) {
                    return loaded;
                }
            }
        } catch (IOException | GeneralSecurityException e) {
            throw new IOException(
                    e.getCause() instanceof UnrecoverableKeyException
                            ? "the password is not that of " + keyStore
                            : keyStore + " is no PKCS #12 file, or is damaged; 'openssl pkcs12 -export -in CERTIFICATE"
                                    + " -inkey KEY -out FILE' makes one of PEM files",
                    e);
        }
        throw new IOException("there is no private key in " + keyStore);
    }

    /** Does not show the password. */
    @Override
    public String toString() {
        return "Tls[" + keyStore + "]";
    }
}
