package io.slipstream.cli.log;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code slipstream log cat}. */
@Command(name = "cat", mixinStandardHelpOptions = true, description = "Shows all messages, the oldest first.")
final class LogCatCommand implements Callable<Integer> {
    @Mixin
    private LogSelection selection;

    @SuppressWarnings("NullAway.Init")
    LogCatCommand() {}

    @Override
    public Integer call() throws IOException {
        selection.show(null, null, false);
        return 0;
    }
}
