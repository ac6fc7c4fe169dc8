package io.slipstream.cli.cluster;

import io.slipstream.cli.console.Usage;
import io.slipstream.cluster.backup.Backups;
import io.slipstream.cluster.files.MemberLog;
import io.slipstream.cluster.files.MemberRecords;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code slipstream cluster backup}. */
@Command(
        name = "backup",
        mixinStandardHelpOptions = true,
        description = {
            "Copies the last snapshot and the log behind it from the leader, while the members go on, and checks the "
                    + "copy.",
            "With 'cluster restore' it becomes the members of a cluster; 'journal dump' shows what is in it."
        })
final class BackupCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private MembersOption cluster;

    @Option(
            names = "--to",
            required = true,
            paramLabel = "DIR",
            description = "Folder of the backups, each in one of its own: backup-00000001 and so on.")
    private Path directory;

    @Option(
            names = "--every",
            paramLabel = "SECONDS",
            description =
                    "Takes one after the other, each so long after the one before, until the command is stopped. A "
                            + "backup that fails is told, and the next one is tried.")
    private @Nullable Integer every;

    @Option(names = "--keep", paramLabel = "COUNT", defaultValue = "3", description = "How many backups are kept.")
    private int keep;

    @SuppressWarnings("NullAway.Init")
    BackupCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        Usage.atLeast(spec, "--keep", keep, 1);
        Integer pause = every;
        if (pause != null) {
            Usage.atLeast(spec, "--every", pause, 1);
        }
        Backups backups = new Backups(directory, cluster.members(), cluster.token());
        PrintWriter out = spec.commandLine().getOut();
        while (true) {
            try {
                Path backup = backups.take();
                MemberRecords records = MemberRecords.of(backup, (place, memory, offset, length) -> {});
                records.read();
                out.printf(
                        Locale.ROOT,
                        "%s has all up to entry %,d; the log from position %,d to %,d.%n",
                        backup,
                        records.lastSequence(),
                        MemberLog.of(backup).start(),
                        MemberLog.of(backup).end());
                backups.keep(keep);
            } catch (IOException e) {
                if (pause == null) {
                    throw e;
                }
                spec.commandLine().getErr().println("slipstream: no backup was taken: " + e.getMessage());
                spec.commandLine().getErr().flush();
            }
            out.flush();
            if (pause == null) {
                return 0;
            }
            TimeUnit.SECONDS.sleep(pause);
        }
    }
}
