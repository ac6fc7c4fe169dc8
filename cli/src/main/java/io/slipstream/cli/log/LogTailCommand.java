package io.slipstream.cli.log;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code slipstream log tail}. */
@Command(
        name = "tail",
        mixinStandardHelpOptions = true,
        description = "Shows the messages of the last time, and with --follow those that come.")
final class LogTailCommand implements Callable<Integer> {
    @Mixin
    private LogSelection selection;

    @Option(names = "--last", paramLabel = "SECONDS", defaultValue = "60", description = "How long ago it begins.")
    private long last;

    @Option(
            names = {"-f", "--follow"},
            description = "Goes on with what comes, until it is stopped.")
    private boolean follow;

    @SuppressWarnings("NullAway.Init")
    LogTailCommand() {}

    @Override
    public Integer call() throws IOException {
        selection.show(null, Instant.now().minus(Duration.ofSeconds(last)), follow);
        return 0;
    }
}
