package io.slipstream.cli.exchange;

import io.slipstream.cli.console.AccessOptions;
import io.slipstream.cli.console.LogOptions;
import io.slipstream.cli.console.SiteOptions;
import io.slipstream.cli.service.ProcessCounters;
import io.slipstream.cli.service.SnapshotOptions;
import io.slipstream.cli.service.StopSignal;
import io.slipstream.core.counters.Counters;
import io.slipstream.exchange.service.ExchangeStateMachine;
import io.slipstream.replica.backup.BackupConfig;
import io.slipstream.replica.backup.BackupSite;
import io.slipstream.replica.backup.Promotion;
import io.slipstream.replica.site.Role;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.security.Tls;
import io.slipstream.service.snapshot.SnapshotPolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slipstream replica serve}. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = "Runs the backup site of an exchange; once promoted, serves the exchange in the same process.")
public final class ServeBackup implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--dir", required = true, paramLabel = "DIR", description = "Folder of the copy; made if missing.")
    private Path directory;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:7600",
            description = "Where the primary and 'slipstream replica' connect to.")
    private String listen;

    @Option(
            names = "--token",
            required = true,
            paramLabel = "FILE",
            description = "File with the token that both sites know.")
    private Path token;

    @Option(
            names = "--site-certificate",
            paramLabel = "PEM",
            description = "Speaks TLS with the primary and 'slipstream replica', with this certificate.")
    private @Nullable Path certificate;

    @Option(names = "--site-key", paramLabel = "PEM", description = "The private key of --site-certificate.")
    private @Nullable Path key;

    @Option(
            names = "--port",
            paramLabel = "P",
            defaultValue = "7500",
            description = "Port of the exchange once this site is promoted.")
    private int port;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "Address of the exchange once this site is promoted.")
    private String host;

    @Option(names = "--instruments", paramLabel = "N", defaultValue = "16", description = "As at the primary.")
    private int instruments;

    @Option(names = "--max-orders", paramLabel = "N", defaultValue = "1000000", description = "As at the primary.")
    private int maxOrders;

    @Mixin
    private SnapshotOptions snapshots;

    @Mixin
    private LogOptions log;

    @Mixin
    private AccessOptions access;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public ServeBackup() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        SnapshotPolicy policy = snapshots.policy(spec);
        ServiceConfig config = access.applyTo(ServiceConfig.in(directory)
                .withAddress(new InetSocketAddress(host, port))
                .withJournal(log.journal(spec, directory)));
        ExchangeFolder.requireSame(directory, instruments, maxOrders);
        try (Counters counters = ProcessCounters.create(out);
                BackupSite site = BackupSite.start(config, site(), machine(), counters)) {
            if (site.report().role() != Role.PROMOTED) {
                out.printf(
                        Locale.ROOT,
                        "Backup site on port %d, at level %s, from record %,d on.%n",
                        site.port(),
                        log.level(),
                        site.report().received() + 1);
                if (counters != null) {
                    out.printf(
                            Locale.ROOT,
                            "'slipstream top %d' shows what goes on.%n",
                            ProcessHandle.current().pid());
                }
                out.flush();
                Promotion promotion = site.promoted().get();
                out.printf(Locale.ROOT, "Promoted: term %d, record %,d.%n", promotion.term(), promotion.sequence());
            }
            try (Service service = Service.start(config.withSnapshots(policy), this::machine, counters)) {
                StopSignal stop = StopSignal.install(service, counters == null ? () -> {} : counters::close, out);
                out.printf(
                        Locale.ROOT, "Serving the exchange on %s:%d at level %s.%n", host, service.port(), log.level());
                out.flush();
                service.ended().get();
                stop.finished();
            }
            return 0;
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException("the exchange has stopped: " + cause.getMessage(), cause);
        }
    }

    private BackupConfig site() throws IOException {
        BackupConfig site = BackupConfig.of(SiteOptions.address(listen), SiteOptions.token(token));
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException("--site-certificate and --site-key go together");
        }
        return certificate == null || key == null ? site : site.withTls(Tls.server(certificate, key));
    }

    private ExchangeStateMachine machine() {
        return new ExchangeStateMachine(instruments, maxOrders);
    }
}
