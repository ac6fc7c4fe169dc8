package io.slipstream.cli.exchange;

import io.slipstream.cli.console.ClientOptions;
import io.slipstream.cli.console.Usage;
import io.slipstream.cli.load.Load;
import io.slipstream.cli.load.LoadOptions;
import io.slipstream.cli.load.LoadTable;
import io.slipstream.cli.load.Tally;
import io.slipstream.exchange.Exchange;
import io.slipstream.ipc.IpcChannel;
import io.slipstream.service.client.ServiceClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slipstream load exchange}. */
@Command(
        name = "exchange",
        mixinStandardHelpOptions = true,
        description = {
            "Sends orders to a running exchange at a fixed rate, whether or not it keeps up (open loop).",
            "Latency counts from the moment at which a command was due."
        })
public final class LoadExchange implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--host", paramLabel = "HOST", defaultValue = "127.0.0.1", description = "Where the exchange is.")
    private String host;

    @Option(names = "--port", paramLabel = "P", defaultValue = "7500", description = "Its port.")
    private int port;

    @Option(
            names = "--ipc",
            paramLabel = "NAME",
            description = "Connects through shared memory to the exchange that was started with this --ipc.")
    private @Nullable String memory;

    @Option(
            names = "--instruments",
            paramLabel = "N",
            defaultValue = "16",
            description = "How many instruments are traded, from 1 on; as many as the exchange lists, or fewer.")
    private int instruments;

    @Mixin
    private LoadOptions options;

    @Mixin
    private ClientOptions client;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public LoadExchange() {}

    @Override
    public Integer call() throws IOException {
        options.check();
        Usage.range(spec, "--instruments", instruments, 1, Exchange.MAX_INSTRUMENTS - 1);
        Usage.range(spec, "--port", port, 1, 65_535);
        PrintWriter out = spec.commandLine().getOut();
        AtomicBoolean goOn = new AtomicBoolean(true);
        Thread interrupted = Thread.currentThread();
        Thread hook = Thread.ofPlatform().unstarted(() -> {
            goOn.set(false);
            try {
                interrupted.join(3_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Runtime.getRuntime().addShutdownHook(hook);
        ServiceClient.Builder builder = client.applyTo(service());
        try (Load<Trader> load =
                Trader.load(() -> builder, options.connections(), instruments, options.seed(), Load.LARGE_WINDOW)) {
            Load.Result result = load.run(
                    options.rate(),
                    Duration.ofNanos((long) (options.seconds() * 1e9)),
                    false,
                    goOn::get,
                    new LoadTable(out));
            long outstanding = load.awaitAnswers(Duration.ofSeconds(5));
            return tell(out, load, result, outstanding);
        }
    }

    private ServiceClient.Builder service() {
        return memory == null ? ServiceClient.builder(host, port) : ServiceClient.builder(IpcChannel.named(memory));
    }

    private Integer tell(PrintWriter out, Load<?> load, Load.Result result, long outstanding) {
        Tally tally = Tally.of(load.sources());
        out.printf(
                Locale.ROOT,
                "%n%,d commands offered in %.1f s: %,d answered, %,d refused as busy, %,d failed, %,d without "
                        + "answer; "
                        + "%,d trades reported.%n",
                tally.offered(),
                result.seconds(),
                tally.answered(),
                tally.busy(),
                tally.failed(),
                outstanding,
                tally.trades());
        if (tally.failed() > 0) {
            out.println("The last failure: " + load.lastFailure());
        }
        out.flush();
        return tally.failed() == 0 && outstanding == 0 ? 0 : 1;
    }
}
