package io.slipstream.cli.typed;

import io.slipstream.cli.console.ClientOptions;
import io.slipstream.cli.console.Usage;
import io.slipstream.cli.journal.Machines;
import io.slipstream.cli.load.Load;
import io.slipstream.cli.load.LoadOptions;
import io.slipstream.cli.load.LoadTable;
import io.slipstream.ipc.IpcChannel;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.typed.Contract;
import io.slipstream.service.typed.TypedMachine;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slipstream load service}. */
@Command(
        name = "service",
        mixinStandardHelpOptions = true,
        description = {
            "Sends commands of your own to any service at fixed rates, whether or not it keeps up.",
            "Latency counts from the moment at which a command was due.",
            "In a command, {{1..100}} is a random number, and {{n}} one that no other command of the load has."
        })
public final class LoadService implements Callable<Integer> {
    /* A payload takes half of a client's window at most. */
    private static final int MOST_BYTES = Load.LARGE_WINDOW / 2 - 64;

    private static final int MOST_GROWTH = 1000;

    @Spec
    private CommandSpec spec;

    @Option(names = "--host", paramLabel = "HOST", defaultValue = "127.0.0.1", description = "Where the service is.")
    private String host;

    @Option(names = "--port", paramLabel = "P", defaultValue = "7500", description = "Its port.")
    private int port;

    @Option(names = "--ipc", paramLabel = "NAME", description = "Connects through shared memory.")
    private @Nullable String memory;

    @Option(
            names = "--machine",
            paramLabel = "MACHINE",
            description = "Whose commands they are: ledger, or the name of a class that extends TypedMachine.")
    private @Nullable String machine;

    @Option(
            names = {"-cp", "--class-path"},
            paramLabel = "PATH",
            showDefaultValue = Visibility.NEVER,
            description = "Where its class is: folders, jars, and lib/* for all jars in lib.")
    private String classPath = "";

    @Option(
            names = "--command",
            paramLabel = "COMMAND",
            description = "A command or a query, such as 'Deposit {\"account\":{{1..9}}}'. Several are sent by turns.")
    private List<String> commands = List.of();

    @Option(
            names = "--bytes",
            paramLabel = "N",
            description = "Sends commands of that many random bytes, to a service without a contract.")
    private @Nullable Integer bytes;

    @Option(names = "--first", paramLabel = "N", description = "The first {{n}}; 1 if not given.")
    private long first = 1;

    @Option(
            names = "--rates",
            paramLabel = "R",
            split = ",",
            description = "Several rates, a step for each, instead of --rate.")
    private List<Double> rates = List.of();

    @Option(names = "--until-knee", description = "Goes on with higher rates until the service does not keep up.")
    private boolean untilKnee;

    @Option(
            names = "--growth",
            paramLabel = "X",
            defaultValue = "1.5",
            description = "From step to step; with --until-knee.")
    private double growth;

    @Option(
            names = "--late",
            paramLabel = "MS",
            defaultValue = "50",
            description = "Beyond the knee 1 %% of the answers take longer than this; with --until-knee.")
    private double lateMillis;

    @Option(
            names = "--processes",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many processes share the load; each has --connections of its own.")
    private int processes;

    @Option(names = "--hdr", paramLabel = "FILE", description = "Writes a histogram for each second, in HDR format.")
    private @Nullable Path hdr;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes all figures as JSON.")
    private @Nullable Path json;

    @Option(names = "--html", paramLabel = "FILE", description = "Writes a page: latency by load, and by time.")
    private @Nullable Path html;

    @Option(names = "--child", hidden = true)
    private @Nullable Integer child;

    @Mixin
    private LoadOptions options;

    @Mixin
    private ClientOptions client;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public LoadService() {}

    @Override
    public Integer call() throws IOException {
        check();
        if (child != null) {
            return serveParent(child);
        }
        PrintWriter out = spec.commandLine().getOut();
        List<Double> first = rates.isEmpty() ? List.of(options.rate()) : rates;
        Steps steps = new Steps(first, untilKnee ? growth : 0, time(), lateMillis);
        try (Runner runner = processes == 1 ? new LocalRunner(load(0)) : new Children(children())) {
            Thread hook = Thread.ofPlatform().unstarted(runner::stop);
            Runtime.getRuntime().addShutdownHook(hook);
            LoadTable table = new LoadTable(out);
            List<Measured> all = steps.run(
                    runner,
                    rate -> {
                        out.printf(Locale.ROOT, "-- %,.0f/s%n", rate);
                        out.flush();
                    },
                    table);
            write(all);
            return tell(out, steps, all, runner);
        }
    }

    private void check() throws IOException {
        options.check();
        Usage.range(spec, "--port", port, 1, 65_535);
        Usage.range(spec, "--processes", processes, 1, 64);
        Usage.require(spec, growth > 1 && growth <= MOST_GROWTH, "--growth", "above 1 and at most 1000", growth);
        Usage.require(spec, lateMillis > 0, "--late", "above 0", lateMillis);
        rates.forEach(rate -> Usage.aboveZero(spec, "--rates", rate, 100_000_000));
        if (bytes != null) {
            Usage.range(spec, "--bytes", bytes, 0, MOST_BYTES);
        }
        exclude("--bytes", "--command", "--class-path");
        exclude("--rates", "--rate");
        exclude("--ipc", "--host", "--port");
        if (!untilKnee && (isSaid("--growth") || isSaid("--late"))) {
            throw Usage.wrong(spec, (isSaid("--late") ? "--late" : "--growth") + " needs --until-knee");
        }
        if ((machine == null) == (bytes == null) || machine != null && commands.isEmpty()) {
            throw Usage.wrong(spec, "say what to send: --machine and --command, or --bytes");
        }
        // What a long load has found must not be lost at its end.
        requireFolder("--hdr", hdr);
        requireFolder("--json", json);
        requireFolder("--html", html);
    }

    private void exclude(String option, String... others) {
        for (String other : others) {
            if (isSaid(option) && isSaid(other)) {
                throw Usage.wrong(spec, option + " and " + other + " exclude each other");
            }
        }
    }

    private boolean isSaid(String option) {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    private void requireFolder(String option, @Nullable Path file) throws IOException {
        if (file != null) {
            Path folder = file.toAbsolutePath().getParent();
            if (folder == null || !Files.isWritable(folder) || Files.isDirectory(file)) {
                throw new IOException(option + " cannot be written: " + file);
            }
        }
    }

    private Duration time() {
        return Duration.ofNanos((long) (options.seconds() * 1e9));
    }

    private void write(List<Measured> all) throws IOException {
        if (hdr != null) {
            LoadFiles.hdr(hdr, all);
        }
        if (json != null) {
            LoadFiles.json(json, all);
        }
        if (html != null) {
            LoadPage.write(html, "Load of " + (machine == null ? "a service" : machine), all);
        }
    }

    private int tell(PrintWriter out, Steps steps, List<Measured> all, Runner runner) {
        long failed = 0;
        out.println();
        for (Measured each : all) {
            failed += each.tally().failed() + each.outstanding();
            out.printf(
                    Locale.ROOT,
                    "%,11.0f/s offered: %,d answered, %,d refused as busy, %,d failed, %,d without answer;"
                            + " 50 %% within %s, 99 %% within %s%n",
                    each.rate(),
                    each.tally().answered(),
                    each.tally().busy(),
                    each.tally().failed(),
                    each.outstanding(),
                    LoadTable.time(each.latencies().getValueAtPercentile(50)),
                    LoadTable.time(each.latencies().getValueAtPercentile(99)));
        }
        if (untilKnee) {
            Measured knee = steps.knee(all);
            out.println(
                    knee == null
                            ? "The first rate was beyond the knee already."
                            : String.format(Locale.ROOT, "The knee is above %,.0f/s.", knee.rate()));
        }
        if (runner.lastFailure() != null) {
            out.println("The last failure: " + runner.lastFailure());
        }
        out.flush();
        return failed == 0 ? 0 : 1;
    }

    /** As one of several processes: takes a rate and a time a line, and tells what came of each. */
    private int serveParent(int number) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Runner runner = new LocalRunner(load(number))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                Measured measured = runner.run(
                        Double.parseDouble(words[0]),
                        Duration.ofNanos(Long.parseLong(words[1])),
                        (seconds, tally, latencies) -> {
                            out.println(Wire.line(Wire.INTERVAL, seconds, tally, latencies, 0, 0));
                            out.flush();
                        });
                if (runner.lastFailure() != null) {
                    out.println(Wire.FAILURE + runner.lastFailure());
                }
                out.println(Wire.line(
                        Wire.END,
                        measured.seconds(),
                        measured.tally(),
                        measured.latencies(),
                        measured.late(),
                        measured.outstanding()));
                out.flush();
            }
        }
        return 0;
    }

    private Load<Caller> load(int process) throws IOException {
        List<CommandTemplate> templates = templates();
        int all = processes * options.connections();
        return new Load<>(options.connections(), number -> {
            int which = process * options.connections() + number - 1;
            return new Caller(
                    client.applyTo(service()).windowBytes(Load.LARGE_WINDOW).connectTimeout(Load.CONNECT_TIMEOUT),
                    new Payloads(
                            templates,
                            bytes == null ? 0 : bytes,
                            options.seed() * 1_000_003 + which,
                            first + which,
                            all));
        });
    }

    private ServiceClient.Builder service() {
        return memory == null ? ServiceClient.builder(host, port) : ServiceClient.builder(IpcChannel.named(memory));
    }

    private List<CommandTemplate> templates() throws IOException {
        if (machine == null) {
            return List.of();
        }
        try (Machines machines = new Machines(Path.of(""), classPath)) {
            StateMachine made = machines.named(machine).get();
            if (!(made instanceof TypedMachine typed)) {
                throw new IOException(machine + " has no contract: it is no TypedMachine. Use --bytes");
            }
            Contract contract = typed.contract();
            List<CommandTemplate> templates = new ArrayList<>();
            commands.forEach(text -> templates.add(CommandTemplate.of(contract, text)));
            return templates;
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** This same command, once for each process. */
    private List<List<String>> children() {
        String own = Path.of(URI.create(LoadService.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
                .toString();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-p",
                own + File.pathSeparator + System.getProperty("jdk.module.path"),
                "--enable-native-access=io.slipstream.core,io.slipstream.ipc",
                "-m",
                "io.slipstream.cli/io.slipstream.cli.Main"));
        command.addAll(spec.root().commandLine().getParseResult().originalArgs());
        List<List<String>> all = new ArrayList<>();
        for (int number = 0; number < processes; number++) {
            List<String> one = new ArrayList<>(command);
            one.addAll(List.of("--child", Integer.toString(number)));
            all.add(one);
        }
        return all;
    }
}
