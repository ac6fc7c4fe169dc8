package io.slipstream.cli.demo;

import io.slipstream.cli.console.Usage;
import io.slipstream.cli.load.LoadOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slipstream demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        subcommands = ClusterDemoCommand.class,
        description = {
            "Starts a durable exchange, loads it, kills it, and proves that nothing was lost; then " + "overloads it.",
            "Exits with 0 if it completed and no claim is broken."
        })
public final class DemoCommand implements Callable<Integer> {
    private static final int MOST_PORT = 65_535;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Empty or new folder for the journal, which is kept; "
                    + "without it a temporary one is used and removed.")
    private @Nullable Path directory;

    @Mixin
    private LoadOptions load;

    @Option(
            names = "--level",
            paramLabel = "LEVEL",
            defaultValue = "SYNC",
            description = "How durable an answered command is: SYNC or PROCESS.")
    private String level;

    @Option(
            names = "--http",
            paramLabel = "P",
            description = "Shows the dashboard of the exchange on this port of 127.0.0.1, from full speed on.")
    private @Nullable Integer http;

    @Option(
            names = "--open-until-key",
            description = "Serves on after the verdicts until Enter is pressed; with --http, there is time to look.")
    private boolean open;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public DemoCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        load.check();
        Usage.require(spec, load.rate() >= 100, "--rate", "100 or more", load.rate());
        Usage.require(spec, load.seconds() >= 0.5, "--seconds", "0.5 or more", load.seconds());
        Usage.require(
                spec,
                level.equalsIgnoreCase("SYNC") || level.equalsIgnoreCase("PROCESS"),
                "--level",
                "SYNC or PROCESS",
                level);
        Integer port = http;
        if (port != null) {
            // Fixed, since the exchange is started again and again.
            Usage.range(spec, "--http", port, 1, MOST_PORT);
        }
        PrintWriter out = spec.commandLine().getOut();
        try (DemoFolder folder = DemoFolder.open(directory)) {
            Demo.Settings settings = new Demo.Settings(
                    folder.path(),
                    level.toUpperCase(Locale.ROOT),
                    load.rate(),
                    load.seconds(),
                    load.connections(),
                    load.seed(),
                    port == null ? List.of() : List.of("--http", port.toString()));
            Demo demo = new Demo(settings, out);
            Thread hook = Thread.ofPlatform().unstarted(() -> {
                demo.interrupt();
                folder.remove();
            });
            Runtime.getRuntime().addShutdownHook(hook);
            boolean holds = demo.run();
            if (open) {
                demo.serveUntil(() -> System.in.read());
            }
            if (directory != null) {
                out.println("The journal is kept in " + Files.createDirectories(folder.path()) + ".");
            }
            return holds ? 0 : 1;
        }
    }
}
