package io.slipstream.cli.console;

import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.security.Tls;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a client shows who it is, and checks whom it speaks with: options of the commands that connect to a service. */
public final class ClientOptions {
    @Option(
            names = "--token",
            paramLabel = "FILE",
            description = "Shows the token in this file to a service that was started with --access.")
    private @Nullable Path token;

    @Option(
            names = "--tls",
            paramLabel = "PEM",
            description = "Speaks TLS, and trusts what the certificates in this file have signed.")
    private @Nullable Path tls;

    @Option(names = "--tls-certificate", paramLabel = "PEM", description = "Shows this certificate; needs --tls.")
    private @Nullable Path certificate;

    @Option(names = "--tls-key", paramLabel = "PEM", description = "The private key of --tls-certificate.")
    private @Nullable Path key;

    /** Creates the options; picocli fills them in. */
    public ClientOptions() {}

    /** Returns {@code builder} with what the options say. */
    public ServiceClient.Builder applyTo(ServiceClient.Builder builder) throws IOException {
        Tls own = tls();
        String secret = secret();
        if (own != null) {
            builder.tls(own);
        }
        return secret == null ? builder : builder.token(secret);
    }

    /** Returns the TLS to speak, or null for none. */
    public @Nullable Tls tls() {
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException("--tls-certificate and --tls-key go together");
        }
        if (tls != null) {
            Tls trusting = Tls.client(tls);
            return certificate == null || key == null ? trusting : trusting.withCertificate(certificate, key);
        }
        if (certificate != null) {
            throw new IllegalArgumentException("--tls-certificate needs --tls");
        }
        return null;
    }

    /** Returns the token to show, or null for none. */
    public @Nullable String secret() throws IOException {
        if (token == null) {
            return null;
        }
        String secret = SiteOptions.token(token);
        if (secret.isEmpty()) {
            throw new IllegalArgumentException(token + " has no token in its first line");
        }
        return secret;
    }
}
