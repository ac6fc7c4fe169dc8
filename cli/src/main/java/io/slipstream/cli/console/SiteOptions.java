package io.slipstream.cli.console;

import io.slipstream.core.text.SettingsText;
import io.slipstream.replica.backup.BackupConfig;
import io.slipstream.replica.backup.SiteClient;
import io.slipstream.service.security.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Where a backup site is, and how to be let in. */
public final class SiteOptions {
    @Parameters(index = "0", paramLabel = "HOST:PORT", description = "Where the backup site listens.")
    private String site;

    @Option(
            names = "--token",
            required = true,
            paramLabel = "FILE",
            description = "File with the token that both sites know.")
    private Path token;

    @Option(
            names = "--tls",
            paramLabel = "PEM",
            description = "Speaks TLS, and trusts what the certificates in this file have signed.")
    private @Nullable Path tls;

    /** Creates the options; picocli fills them in. */
    @SuppressWarnings("NullAway.Init")
    public SiteOptions() {}

    /** Returns a client of that site. */
    public SiteClient client() throws IOException {
        BackupConfig config = BackupConfig.of(address(site), token(token));
        return new SiteClient(tls == null ? config : config.withTls(Tls.client(tls)));
    }

    /** Returns the address that {@code text} names as HOST:PORT. */
    public static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        if (text.substring(0, Math.max(colon, 0)).isBlank()) {
            throw new IllegalArgumentException("an address is HOST:PORT, not '" + text + "'");
        }
        try {
            return new InetSocketAddress(
                    text.substring(0, Math.max(colon, 0)), Integer.parseInt(text.substring(colon + 1)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("an address is HOST:PORT, not '" + text + "'", e);
        }
    }

    /** Returns the first line of the file with the token. */
    public static String token(@Nullable Path file) throws IOException {
        if (file == null) {
            throw new IllegalArgumentException("a backup site wants a token; give the file that has it");
        }
        return SettingsText.firstLine(file);
    }
}
