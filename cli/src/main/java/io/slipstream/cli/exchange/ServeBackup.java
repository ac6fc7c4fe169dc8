package io.slipstream.cli.exchange;

import io.slipstream.cli.console.AccessOptions;
import io.slipstream.cli.console.LogOptions;
import io.slipstream.cli.console.SiteOptions;
import io.slipstream.cli.service.StopSignal;
import io.slipstream.exchange.service.ExchangeStateMachine;
import io.slipstream.replica.backup.BackupConfig;
import io.slipstream.replica.backup.BackupSite;
import io.slipstream.replica.backup.Promotion;
import io.slipstream.replica.site.Role;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;

/** {@code slipstream replica serve}. */
@Command(name = "serve", mixinStandardHelpOptions = true,
        description = "Runs the backup site of an exchange; once promoted, serves the exchange in the same process.")
public final class ServeBackup implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--dir", required = true, paramLabel = "DIR", description = "Folder of the copy; made if missing.")
    private Path directory;

    @Option(names = "--listen", paramLabel = "HOST:PORT", defaultValue = "127.0.0.1:7600",
            description = "Where the primary and 'slipstream replica' connect to.")
    private String listen;

    @Option(names = "--token", required = true, paramLabel = "FILE",
            description = "File with the token that both sites know.")
    private Path token;

    @Option(names = "--port", paramLabel = "P", defaultValue = "7500",
            description = "Port of the exchange once this site is promoted.")
    private int port;

    @Option(names = "--host", paramLabel = "HOST", defaultValue = "127.0.0.1",
            description = "Address of the exchange once this site is promoted.")
    private String host;

    @Option(names = "--instruments", paramLabel = "N", defaultValue = "16", description = "As at the primary.")
    private int instruments;

    @Option(names = "--max-orders", paramLabel = "N", defaultValue = "1000000", description = "As at the primary.")
    private int maxOrders;

    @Mixin
    private LogOptions log;

    @Mixin
    private AccessOptions access;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public ServeBackup() {
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        ServiceConfig config = access.applyTo(ServiceConfig.in(directory)
                .withAddress(new InetSocketAddress(host, port)).withJournal(log.journal(spec, directory)));
        ExchangeFolder.requireSame(directory, instruments, maxOrders);
        try (BackupSite site = BackupSite.start(config,
                BackupConfig.of(SiteOptions.address(listen), SiteOptions.token(token)), machine())) {
            if (site.report().role() != Role.PROMOTED) {
                out.printf("Backup site on port %d, at level %s, from record %,d on.%n", site.port(), log.level(),
                        site.report().received() + 1);
                out.flush();
                Promotion promotion = site.promoted().get();
                out.printf("Promoted: term %d, record %,d.%n", promotion.term(), promotion.sequence());
            }
            try (Service service = Service.start(config, machine())) {
                StopSignal stop = StopSignal.install(service, () -> { }, out);
                out.printf("Serving the exchange on %s:%d at level %s.%n", host, service.port(), log.level());
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

    private ExchangeStateMachine machine() {
        return new ExchangeStateMachine(instruments, maxOrders);
    }
}
