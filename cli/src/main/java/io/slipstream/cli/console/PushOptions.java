package io.slipstream.cli.console;

import io.slipstream.core.counters.Counters;
import io.slipstream.replica.primary.JournalPush;
import io.slipstream.replica.primary.PushConfig;
import io.slipstream.replica.primary.PushLevel;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.security.Tls;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a service whose journal is pushed to a backup site. */
public final class PushOptions {
    @Option(
            names = "--backup",
            paramLabel = "HOST:PORT",
            description = "Pushes the journal to the backup site there; see 'slipstream replica serve'.")
    private @Nullable String backup;

    @Option(names = "--backup-token", paramLabel = "FILE", description = "File with the token that both sites know.")
    private @Nullable Path token;

    @Option(
            names = "--backup-tls",
            paramLabel = "PEM",
            description = "Speaks TLS with the backup site, and trusts what the certificates in this file have signed.")
    private @Nullable Path tls;

    @Option(
            names = "--backup-level",
            paramLabel = "LEVEL",
            defaultValue = "ASYNC",
            description = "What an answer says of the backup: ${COMPLETION-CANDIDATES}.")
    private PushLevel level;

    @Option(
            names = "--backup-bandwidth",
            paramLabel = "BYTES",
            defaultValue = "0",
            description = "Bytes a second that are pushed at most; 0 for no limit.")
    private long bandwidth;

    @Option(
            names = "--start-alone",
            description = "Serves even if the backup cannot be asked whether it has taken over.")
    private boolean alone;

    /** Creates the options; picocli fills them in. */
    @SuppressWarnings("NullAway.Init")
    public PushOptions() {}

    /** Returns whether there is a backup site. */
    public boolean isGiven() {
        return backup != null;
    }

    /**
     * Returns {@code config} with what the options say.
     *
     * @param counters that show how far the backup is; null for none
     */
    public ServiceConfig applyTo(ServiceConfig config, @Nullable Counters counters) throws IOException {
        String to = backup;
        if (to == null) {
            if (token != null || tls != null || alone) {
                throw new IllegalArgumentException("--backup-token, --backup-tls and --start-alone need --backup");
            }
            return config;
        }
        PushConfig push = PushConfig.of(config.directory(), SiteOptions.address(to), SiteOptions.token(token))
                .withLevel(level)
                .withBandwidth(bandwidth)
                .withStartAlone(alone)
                .withCounters(counters);
        return config.withLogGate(new JournalPush(tls == null ? push : push.withTls(Tls.client(tls))));
    }
}
