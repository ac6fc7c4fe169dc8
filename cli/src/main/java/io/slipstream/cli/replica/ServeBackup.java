package io.slipstream.cli.replica;

import io.slipstream.cli.console.AccessOptions;
import io.slipstream.cli.console.Ended;
import io.slipstream.cli.console.LogOptions;
import io.slipstream.cli.console.SiteOptions;
import io.slipstream.cli.console.Usage;
import io.slipstream.cli.exchange.ExchangeFolder;
import io.slipstream.cli.keyvalue.ServeKeyValue;
import io.slipstream.cli.service.ProcessCounters;
import io.slipstream.cli.service.SnapshotOptions;
import io.slipstream.cli.service.StopSignal;
import io.slipstream.core.counters.Counters;
import io.slipstream.exchange.service.ExchangeStateMachine;
import io.slipstream.keyvalue.KeyValueStore;
import io.slipstream.keyvalue.resp.RespProtocol;
import io.slipstream.ledger.Ledger;
import io.slipstream.ledger.LedgerService;
import io.slipstream.replica.backup.BackupConfig;
import io.slipstream.replica.backup.BackupSite;
import io.slipstream.replica.backup.Promotion;
import io.slipstream.replica.site.Role;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.security.Tls;
import io.slipstream.service.snapshot.SnapshotPolicy;
import io.slipstream.service.spi.Protocol;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slipstream replica serve}. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = "Runs the backup site of a service; once promoted, serves it in the same process.")
final class ServeBackup implements Callable<Integer> {
    private static final String EXCHANGE = "exchange";
    private static final String KEY_VALUE = "keyvalue";
    private static final String LEDGER = "ledger";
    private static final int EXCHANGE_PORT = 7500;
    private static final int KEY_VALUE_PORT = 6379;
    private static final int LEDGER_PORT = 7501;
    private static final int MOST_PORT = 65_535;

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "SERVICE",
            defaultValue = EXCHANGE,
            description = "What the primary serves: " + EXCHANGE + ", " + KEY_VALUE + " or " + LEDGER + ".")
    private String name;

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
            description = "Port of the service once this site is promoted; its usual one if not given, 0 for any.")
    private @Nullable Integer port;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "Address of the service once this site is promoted.")
    private String host;

    @Option(names = "--instruments", paramLabel = "N", defaultValue = "16", description = "As at the exchange.")
    private int instruments;

    @Option(names = "--max-orders", paramLabel = "N", defaultValue = "1000000", description = "As at the exchange.")
    private int maxOrders;

    @Option(
            names = "--native-port",
            paramLabel = "P",
            defaultValue = "0",
            description = "As at the store of keys and values.")
    private int nativePort;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "1000",
            description = "As at the store of keys and values.")
    private int connections;

    @Mixin
    private SnapshotOptions snapshots;

    @Mixin
    private LogOptions log;

    @Mixin
    private AccessOptions access;

    @SuppressWarnings("NullAway.Init")
    ServeBackup() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        SnapshotPolicy policy = snapshots.policy(spec);
        Served served = served();
        ServiceConfig config = access.applyTo(served.config.withJournal(log.journal(spec, directory)));
        try (Counters counters = ProcessCounters.create(out);
                BackupSite site = BackupSite.start(config, site(), served.machines.get(), counters)) {
            if (site.report().role() != Role.PROMOTED) {
                sayHowItIs(site, config, counters, out);
                Promotion promotion = site.promoted().get();
                out.printf(Locale.ROOT, "Promoted: term %d, record %,d.%n", promotion.term(), promotion.sequence());
            }
            try (Service service = site.serve(config.withSnapshots(policy), served.machines, counters)) {
                StopSignal stop = StopSignal.install(service, counters == null ? () -> {} : counters::close, out);
                Protocol protocol = served.protocol;
                out.printf(
                        Locale.ROOT,
                        "Serving %s on %s:%d at level %s.%n",
                        served.what,
                        host,
                        protocol == null ? service.port() : service.port(protocol),
                        log.level());
                out.flush();
                service.ended().get();
                stop.finished();
            }
            return 0;
        } catch (ExecutionException e) {
            throw Ended.by(served.what, e);
        }
    }

    private void sayHowItIs(BackupSite site, ServiceConfig config, @Nullable Counters counters, PrintWriter out) {
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
        try {
            Service.requireServable(config);
        } catch (IOException e) {
            out.printf(Locale.ROOT, "It cannot be promoted as long as this holds: %s.%n", e.getMessage());
        }
        out.flush();
    }

    /**
     * What a site runs once it is promoted, and keeps warm before.
     *
     * @param what     it serves, in words
     * @param protocol of its clients; null for the native one
     */
    private record Served(
            String what, ServiceConfig config, @Nullable Protocol protocol, Supplier<StateMachine> machines) {}

    private Served served() throws IOException {
        return switch (name) {
            case EXCHANGE -> {
                ExchangeFolder.requireSame(directory, instruments, maxOrders);
                yield new Served(
                        "the exchange",
                        ServiceConfig.in(directory).withAddress(at(EXCHANGE_PORT)),
                        null,
                        () -> new ExchangeStateMachine(instruments, maxOrders));
            }
            case KEY_VALUE -> {
                Protocol resp = new RespProtocol();
                yield new Served(
                        "keys and values",
                        ServeKeyValue.config(directory, connections)
                                .withAddress(new InetSocketAddress(host, nativePort))
                                .withProtocol(resp, at(KEY_VALUE_PORT)),
                        resp,
                        KeyValueStore::new);
            }
            case LEDGER ->
                new Served(
                        "the ledger", LedgerService.config(directory).withAddress(at(LEDGER_PORT)), null, Ledger::new);
            default ->
                throw Usage.wrong(
                        spec,
                        "SERVICE must be one of " + EXCHANGE + ", " + KEY_VALUE + ", " + LEDGER + ", not " + name);
        };
    }

    private InetSocketAddress at(int usual) {
        int asked = port == null ? usual : port;
        Usage.range(spec, "--port", asked, 0, MOST_PORT);
        return new InetSocketAddress(host, asked);
    }

    private BackupConfig site() throws IOException {
        BackupConfig site = BackupConfig.of(SiteOptions.address(listen), SiteOptions.token(token));
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException("--site-certificate and --site-key go together");
        }
        return certificate == null || key == null ? site : site.withTls(Tls.server(certificate, key));
    }
}
