package io.slipstream.cli;

import io.slipstream.cli.console.Usage;
import io.slipstream.core.counters.CounterValue;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.counters.CountersReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slipstream top}: shows the counters of a process, live. */
@Command(
        name = "top",
        mixinStandardHelpOptions = true,
        description = {
            "Shows the counters of a running process, or of one that is gone.",
            "One that cannot be seen by its number, such as a process in a container, is taken for running while its"
                    + " values change.",
            "Queues that are 70 %% full or more are marked."
        })
final class TopCommand implements Callable<Integer> {
    private static final String HOME_AND_CLEAR = "\u001b[H\u001b[J";

    @Parameters(paramLabel = "FILE|PID", description = "A counters file, or the number of a process that has one.")
    private String source;

    @Option(names = "--once", description = "Prints once and ends.")
    private boolean once;

    @Option(names = "--json", description = "Prints one line of JSON for each look.")
    private boolean json;

    @Option(
            names = "--interval",
            paramLabel = "MS",
            defaultValue = "1000",
            description = "Time between two looks, in milliseconds.")
    private long intervalMillis;

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init")
    TopCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        Usage.atLeast(spec, "--interval", intervalMillis, 1);
        PrintWriter out = spec.commandLine().getOut();
        try (CountersReader reader = CountersReader.open(file())) {
            @Nullable List<CounterValue> before = null;
            boolean goesOn;
            do {
                List<CounterValue> counters = reader.read();
                // A process in another PID namespace, such as that of a container, shows its life by what it counts.
                boolean alive =
                        reader.isAlive() || before != null && reader.ended().isEmpty() && !counters.equals(before);
                show(out, new CountersView(reader.pid(), alive, reader.started(), counters));
                goesOn = alive || before == null && reader.ended().isEmpty();
                before = counters;
            } while (!once && goesOn && !Output.isBroken(spec.commandLine()) && sleep());
        }
        return 0;
    }

    private void show(PrintWriter out, CountersView view) {
        if (!json && !once) {
            out.print(HOME_AND_CLEAR);
        }
        out.print(json ? view.json() : view.text());
        out.flush();
    }

    private boolean sleep() throws InterruptedException {
        Thread.sleep(Duration.ofMillis(intervalMillis));
        return true;
    }

    private Path file() throws IOException {
        Path file = Path.of(source);
        if (Files.isDirectory(file)) {
            throw new IOException(file + " is a directory, not a counters file");
        }
        if (Files.exists(file) || !source.matches("\\d{1,18}")) {
            return file;
        }
        Path ofProcess = Counters.defaultFile(Long.parseLong(source));
        if (!Files.exists(ofProcess)) {
            throw new IOException("process " + source + " shows no counters: there is no " + ofProcess
                    + "; 'serve exchange' makes one, and any program that calls Counters.createDefault");
        }
        return ofProcess;
    }
}
