package io.slipstream.cli.demo;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** {@code slipstream demo}. */
@Command(name = "demo", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
        description = {"Starts a durable exchange, loads it, kills it, and proves that nothing was lost; then overloads it.",
            "Exits with 0 only if every claim holds."})
public final class DemoCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--dir", paramLabel = "DIR", description = "empty or new folder for the journal, which is kept; "
            + "without it a temporary one is used and removed")
    private @Nullable Path directory;

    @Option(names = "--rate", paramLabel = "R", defaultValue = "20000", description = "commands a second before and after the kill")
    private double rate;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "5", description = "length of each of the loads")
    private double seconds;

    @Option(names = "--connections", paramLabel = "N", defaultValue = "4", description = "client connections")
    private int connections;

    @Option(names = "--level", paramLabel = "LEVEL", defaultValue = "SYNC", description = "durability: SYNC or PROCESS")
    private String level;

    @Option(names = "--seed", paramLabel = "SEED", defaultValue = "1", description = "of the commands")
    private long seed;

    /** Creates the command; picocli fills it in. */
    @SuppressWarnings("NullAway.Init")
    public DemoCommand() {
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        require(rate >= 100 && rate <= 1e7, "--rate must be from 100 to 10000000");
        require(seconds >= 0.5 && seconds <= 3600, "--seconds must be from 0.5 to 3600");
        require(connections >= 1 && connections <= 100, "--connections must be from 1 to 100");
        require(level.equalsIgnoreCase("SYNC") || level.equalsIgnoreCase("PROCESS"), "--level must be SYNC or PROCESS");
        PrintWriter out = spec.commandLine().getOut();
        try (DemoFolder folder = DemoFolder.open(directory)) {
            Demo.Settings settings = new Demo.Settings(folder.path(), level.toUpperCase(java.util.Locale.ROOT), rate,
                    seconds, connections, seed);
            Demo demo = new Demo(settings, out);
            Thread hook = Thread.ofPlatform().unstarted(() -> {
                demo.interrupt();
                folder.remove();
            });
            Runtime.getRuntime().addShutdownHook(hook);
            boolean holds = demo.run();
            if (directory != null) {
                out.println("The journal is kept in " + Files.createDirectories(folder.path()) + ".");
            }
            return holds ? 0 : 1;
        }
    }

    private void require(boolean condition, String message) {
        if (!condition) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }
}
