package io.slipstream.cli.exchange;

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
import io.slipstream.exchange.Exchange;
import io.slipstream.exchange.OrderBook;
import io.slipstream.exchange.service.ExchangeStateMachine;
import io.slipstream.http.HttpGateway;
import io.slipstream.journal.config.Durability;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.snapshot.SnapshotPolicy;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slipstream serve exchange}. */
@Command(
        name = "exchange",
        mixinStandardHelpOptions = true,
        description = "Runs the limit order book exchange until it is stopped (Ctrl-C or SIGTERM).")
public final class ServeExchange implements Callable<Integer> {
    /** The option of one who starts it as a child: it stops when its standard input ends, so it outlives nobody. */
    public static final String STOP_WITH_INPUT = "--stop-with-input";

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--dir",
            required = true,
            paramLabel = "DIR",
            description = "Folder of the journal; made if missing.")
    private Path directory;

    @Option(
            names = "--port",
            paramLabel = "P",
            defaultValue = "7500",
            description = "Port to listen on; 0 for any free one.")
    private int port;

    @Option(names = "--host", paramLabel = "HOST", defaultValue = "127.0.0.1", description = "Address to listen on.")
    private String host;

    @Option(
            names = "--instruments",
            paramLabel = "N",
            defaultValue = "16",
            description = "How many instruments are listed, from 1 on; fixed once the folder exists.")
    private int instruments;

    @Option(
            names = "--max-orders",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "How many orders may rest; fixed once the folder exists.")
    private int maxOrders;

    @Mixin
    private ResponseOptions response;

    @Option(
            names = "--cost",
            paramLabel = "US",
            defaultValue = "0",
            description = "Spends this many microseconds on each command, as heavier business logic would.")
    private int costMicros;

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

    @Option(names = STOP_WITH_INPUT, hidden = true)
    private boolean stopWithInput;

    private long recoveryNanos;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public ServeExchange() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        Usage.range(spec, "--port", port, 0, 65_535);
        Usage.range(spec, "--cost", costMicros, 0, 1_000_000);
        Usage.range(spec, "--instruments", instruments, 1, Exchange.MAX_INSTRUMENTS - 1);
        Usage.range(spec, "--max-orders", maxOrders, 1, OrderBook.MAX_ORDERS);
        response.check(spec);
        SnapshotPolicy policy = snapshots.policy(spec);
        for (String option : costMicros == 0 ? List.<String>of() : SnapshotOptions.NAMES) {
            if (Usage.isSaid(spec, option)) {
                throw Usage.wrong(
                        spec,
                        "an exchange whose commands cost time (--cost) takes no snapshots; leave " + option + " out");
            }
        }
        if (!cluster.isMember()) {
            threads.check(spec);
        }
        http.check(spec, access);
        if (stopWithInput) {
            Thread.ofPlatform().daemon().name("input-watch").start(ServeExchange::exitAtEndOfInput);
        }
        if (cluster.isGiven(spec, "--port", "--host")) {
            ExchangeFolder.requireSame(directory, instruments, maxOrders);
            return cluster.serve(
                    spec,
                    "exchange",
                    config(null),
                    log.level() == Durability.SYNC,
                    this::machine,
                    http,
                    ExchangeApi.create());
        }
        // Its files are read before anything is opened.
        access.applyTo(ServiceConfig.in(directory));
        push.check(spec, directory);
        FreePort.require(host, port);
        PrintWriter out = spec.commandLine().getOut();
        try (Counters counters = ProcessCounters.create(out);
                HttpGateway gateway = http.listen(ExchangeApi.create(), counters, out);
                Service service = start(counters, gateway, policy)) {
            http.connect(gateway, service, host, memory);
            // Before it says that it serves: who reads that may stop it at once.
            StopSignal stop = HttpOptions.stopInOrder(service, gateway, counters, out);
            Recovered.tell(out, service.recovery(), recoveryNanos);
            memory.tell(out);
            out.printf(
                    Locale.ROOT,
                    "Serving the exchange on %s:%d at level %s; Ctrl-C stops it.%n",
                    host,
                    service.port(),
                    log.level());
            if (counters != null) {
                out.printf(
                        Locale.ROOT,
                        "'slipstream top %d' shows what goes on.%n",
                        ProcessHandle.current().pid());
            }
            out.flush();
            service.ended().get();
            stop.finished();
            return 0;
        } catch (ExecutionException e) {
            throw Ended.by("the exchange", e);
        }
    }

    private static void exitAtEndOfInput() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // Ended as well.
        }
        System.exit(0);
    }

    private StateMachine machine() {
        StateMachine exchange = new ExchangeStateMachine(instruments, maxOrders);
        return costMicros == 0 ? exchange : new CostlyMachine(exchange, costMicros * 1_000L);
    }

    /** Starts the exchange; one that does not start leaves its settings to nobody. */
    private Service start(@Nullable Counters counters, @Nullable HttpGateway gateway, SnapshotPolicy policy)
            throws IOException {
        ServiceConfig config = HttpOptions.reporting(config(counters), gateway);
        boolean isNew = ExchangeFolder.requireSame(directory, instruments, maxOrders);
        try {
            long startNanos = System.nanoTime();
            // One that costs time would cost it in its second instance, too.
            Service service = costMicros == 0
                    ? Service.start(config.withSnapshots(policy), this::machine, counters)
                    : Service.start(config, machine(), counters);
            recoveryNanos = System.nanoTime() - startNanos;
            return service;
        } catch (IOException | RuntimeException | Error e) {
            if (isNew) {
                ExchangeFolder.forget(directory);
            }
            throw e;
        }
    }

    private ServiceConfig config(@Nullable Counters counters) throws IOException {
        ServiceConfig config = ServiceConfig.in(directory)
                .withAddress(new InetSocketAddress(host, port))
                .withJournal(log.journal(spec, directory));
        config = response.applyTo(config);
        config = memory.applyTo(access.applyTo(push.applyTo(config, counters)));
        return threads.applyTo(config);
    }
}
