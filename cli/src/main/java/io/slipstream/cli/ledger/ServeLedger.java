package io.slipstream.cli.ledger;

import io.slipstream.cli.cluster.MemberOptions;
import io.slipstream.cli.console.AccessOptions;
import io.slipstream.cli.console.Ended;
import io.slipstream.cli.console.LogOptions;
import io.slipstream.cli.console.PushOptions;
import io.slipstream.cli.console.Usage;
import io.slipstream.cli.service.FreePort;
import io.slipstream.cli.service.HttpOptions;
import io.slipstream.cli.service.MemoryOptions;
import io.slipstream.cli.service.ProcessCounters;
import io.slipstream.cli.service.Recovered;
import io.slipstream.cli.service.ResponseOptions;
import io.slipstream.cli.service.SnapshotOptions;
import io.slipstream.cli.service.StopSignal;
import io.slipstream.cli.service.ThreadOptions;
import io.slipstream.core.counters.Counters;
import io.slipstream.http.HttpGateway;
import io.slipstream.http.api.Api;
import io.slipstream.journal.config.Durability;
import io.slipstream.ledger.Ledger;
import io.slipstream.ledger.LedgerService;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.snapshot.SnapshotPolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slipstream serve ledger}. */
@Command(
        name = "ledger",
        mixinStandardHelpOptions = true,
        description = "Serves accounts and transfers with double entry; with --http also as JSON.")
public final class ServeLedger implements Callable<Integer> {
    private static final int MOST_PORT = 65_535;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--dir",
            required = true,
            paramLabel = "DIR",
            description = "Folder of the journal and the snapshots; made if missing.")
    private Path directory;

    @Option(
            names = "--port",
            paramLabel = "P",
            defaultValue = "7501",
            description = "Port to listen on; 0 for any free one.")
    private int port;

    @Option(names = "--host", paramLabel = "HOST", defaultValue = "127.0.0.1", description = "Address to listen on.")
    private String host;

    @Mixin
    private ResponseOptions response;

    @Mixin
    private ThreadOptions threads;

    @Mixin
    private SnapshotOptions snapshots;

    @Mixin
    private LogOptions log;

    @Mixin
    private AccessOptions access;

    @Mixin
    private PushOptions push;

    @Mixin
    private MemberOptions cluster;

    @Mixin
    private HttpOptions http;

    @Mixin
    private MemoryOptions memory;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public ServeLedger() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        Usage.range(spec, "--port", port, 0, MOST_PORT);
        SnapshotPolicy policy = snapshots.policy(spec);
        response.check(spec);
        if (!cluster.isMember()) {
            threads.check(spec);
        }
        http.check(spec, access);
        ServiceConfig config =
                threads.applyTo(memory.applyTo(access.applyTo(response.applyTo(LedgerService.config(directory)
                        .withAddress(new InetSocketAddress(host, port))
                        .withSnapshots(policy)
                        .withJournal(log.journal(spec, directory))))));
        if (cluster.isGiven(spec, "--port", "--host")) {
            return cluster.serve(
                    spec, "ledger", config, log.level() == Durability.SYNC, Ledger::new, http, Api.of(Ledger.CONTRACT));
        }
        push.check(spec, directory);
        FreePort.require(host, port);
        PrintWriter out = spec.commandLine().getOut();
        try (Counters counters = ProcessCounters.create(out);
                HttpGateway gateway = http.listen(Api.of(Ledger.CONTRACT), counters, out)) {
            long startNanos = System.nanoTime();
            try (Service service = Service.start(
                    HttpOptions.reporting(push.applyTo(config, counters), gateway), Ledger::new, counters)) {
                long recoveryNanos = System.nanoTime() - startNanos;
                http.connect(gateway, service, host, memory);
                StopSignal stop = HttpOptions.stopInOrder(service, gateway, counters, out);
                Recovered.tell(out, service.recovery(), recoveryNanos);
                memory.tell(out);
                out.printf(
                        Locale.ROOT,
                        "Serving the ledger on %s:%d at level %s; Ctrl-C stops it.%n",
                        host,
                        service.port(),
                        log.level());
                out.flush();
                service.ended().get();
                stop.finished();
                return 0;
            }
        } catch (ExecutionException e) {
            throw Ended.by("the ledger", e);
        }
    }
}
