package io.slipstream.cli.console;

import io.slipstream.service.ServiceConfig;
import io.slipstream.service.security.AccessFile;
import io.slipstream.service.security.Tls;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Who may connect to a service, and whether others can read along: options of every command that serves. */
public final class AccessOptions {
    @Option(
            names = "--access",
            paramLabel = "FILE",
            description = "Lets only those clients in that this file lists; see docs/security.md.")
    private @Nullable Path access;

    @Option(
            names = "--tls-certificate",
            paramLabel = "PEM",
            description = "Speaks TLS 1.3 with this certificate; read again when it changes.")
    private @Nullable Path certificate;

    @Option(names = "--tls-key", paramLabel = "PEM", description = "The private key of --tls-certificate.")
    private @Nullable Path key;

    @Option(
            names = "--tls-clients",
            paramLabel = "PEM",
            description = "Takes certificates of clients that those in this file have signed.")
    private @Nullable Path clients;

    @Option(
            names = "--open",
            description = "Listens to other machines too without --access, --http-tokens or TLS: whoever reaches the "
                    + "port gets in.")
    private boolean open;

    /** Creates the options; picocli fills them in. */
    public AccessOptions() {}

    /** Returns whether clients are asked who they are. */
    public boolean hasAccessFile() {
        return access != null;
    }

    /** Returns whether everybody gets in who reaches a port. */
    public boolean isOpen() {
        return open;
    }

    /** Returns whether the service speaks TLS. */
    public boolean hasTls() {
        return certificate != null;
    }

    /**
     * Returns {@code config}, which has its addresses already, with what the options say.
     *
     * @throws IllegalArgumentException if other machines reach an address, and no option says who may come that way
     */
    public ServiceConfig applyTo(ServiceConfig config) throws IOException {
        ServiceConfig changed = access == null ? config : config.withAuthenticator(new AccessFile(access));
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException("--tls-certificate and --tls-key go together");
        }
        if (certificate != null && key != null) {
            Tls plain = Tls.server(certificate, key);
            Tls tls = clients == null ? plain : plain.withClientCertificates(clients);
            // Reads the files, before anything is opened.
            tls.engine(null, 0);
            changed = changed.withTls(tls);
        } else if (clients != null) {
            throw new IllegalArgumentException("--tls-clients needs --tls-certificate and --tls-key");
        }
        if (open) {
            return changed.withOpenAccess();
        }
        requireSaid(changed);
        return changed;
    }

    /**
     * Checks, in the words of the command line, that nobody opens a service to the network by accident.
     *
     * @throws IllegalArgumentException as {@link #applyTo} does
     */
    public static void requireSaid(ServiceConfig config) {
        config.requireAccessSaid("--access", "--tls-certificate and --tls-key", "--open");
    }
}
