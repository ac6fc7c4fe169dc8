package io.slipstream.cli.cluster;

import io.slipstream.cluster.member.SkippedEntries;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slipstream cluster skip}. */
@Command(
        name = "skip",
        mixinStandardHelpOptions = true,
        description = {
            "Lets a member pass over one log entry at every later start, because it ends all members each time.",
            "Stop all members before, and say it for the folder of each. 'cluster status' shows whether all of them do."
        })
final class SkipCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "DIR", description = "The folder of a member that does not run.")
    private Path directory;

    @Parameters(index = "1", paramLabel = "SEQUENCE", description = "The number of the entry.")
    private Long sequence;

    @SuppressWarnings("NullAway.Init")
    SkipCommand() {}

    @Override
    public Integer call() throws IOException {
        SkippedEntries.mark(directory, sequence);
        spec.commandLine()
                .getOut()
                .printf(
                        Locale.ROOT,
                        "The member in %s passes over entry %,d; all other members must, too. 'cluster status' compares"
                                + " them.%n",
                        directory,
                        sequence);
        return 0;
    }
}
