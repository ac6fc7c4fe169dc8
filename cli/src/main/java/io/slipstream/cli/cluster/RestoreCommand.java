package io.slipstream.cli.cluster;

import io.slipstream.cluster.backup.Restoration;
import io.slipstream.cluster.files.MemberRecords;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slipstream cluster restore}. */
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        description = {
            "Makes the folder of a member out of a backup, after the folders of a majority were lost. What was"
                    + " answered since the backup is lost, too.",
            "Say it for each member, with the same backup, while none of them runs. Then start them."
        })
final class RestoreCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "BACKUP",
            description = "A backup of 'cluster backup', or what 'journal copy' has made of a member's folder. Is not "
                    + "changed.")
    private Path backup;

    @Option(
            names = "--dir",
            required = true,
            paramLabel = "DIR",
            description = "The folder of the member, which is empty or not there yet.")
    private Path directory;

    @Option(names = "--member", required = true, paramLabel = "N", description = "The number of the member.")
    private int member;

    @SuppressWarnings("NullAway.Init")
    RestoreCommand() {}

    @Override
    public Integer call() throws IOException {
        Restoration.restore(backup, directory, member);
        MemberRecords records = MemberRecords.of(directory, (place, memory, offset, length) -> {});
        records.read();
        spec.commandLine()
                .getOut()
                .printf(
                        Locale.ROOT,
                        "Member %d in %s has all up to entry %,d. Restore the others from the same backup, and start"
                                + " them.%n",
                        member,
                        directory,
                        records.lastSequence());
        return 0;
    }
}
