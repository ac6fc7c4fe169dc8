package io.slipstream.cli.console;

import io.slipstream.core.counters.Counters;
import io.slipstream.replica.primary.JournalPush;
import io.slipstream.replica.primary.PushConfig;
import io.slipstream.replica.primary.PushLevel;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.security.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of a service whose journal is pushed to a backup site. */
public final class PushOptions {
    private static final List<String> NAMES =
            List.of("--backup-token", "--backup-tls", "--backup-level", "--backup-bandwidth", "--start-alone");

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

    private @Nullable PushConfig push;

    /** Creates the options; picocli fills them in. */
    @SuppressWarnings("NullAway.Init")
    public PushOptions() {}

    /** Returns whether there is a backup site. */
    public boolean isGiven() {
        return backup != null;
    }

    /**
     * Refuses what cannot be honoured, and reads the files, before anything is opened.
     *
     * @param folder of the journal
     */
    public void check(CommandSpec command, Path folder) throws IOException {
        String to = backup;
        if (to == null) {
            for (String option : NAMES) {
                if (Usage.isSaid(command, option)) {
                    throw Usage.wrong(command, option + " needs --backup");
                }
            }
            return;
        }
        Usage.atLeast(command, "--backup-bandwidth", bandwidth, 0);
        try {
            push = read(folder, to);
        } catch (IllegalArgumentException e) {
            throw Usage.wrong(command, String.valueOf(e.getMessage()));
        }
    }

    private PushConfig read(Path folder, String to) throws IOException {
        InetSocketAddress address = SiteOptions.address(to);
        PushConfig read = PushConfig.of(folder, address, SiteOptions.token(token))
                .withLevel(level)
                .withBandwidth(bandwidth)
                .withStartAlone(alone);
        if (tls == null) {
            return read;
        }
        Tls trusting = Tls.client(tls);
        // Reads the file.
        trusting.engine(address.getHostString(), address.getPort());
        return read.withTls(trusting);
    }

    /**
     * Returns {@code config} with what the options say, which were checked.
     *
     * @param counters that show how far the backup is; null for none
     */
    public ServiceConfig applyTo(ServiceConfig config, @Nullable Counters counters) {
        return push == null ? config : config.withLogGate(new JournalPush(push.withCounters(counters)));
    }
}
