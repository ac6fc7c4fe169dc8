package io.slipstream.cli.service;

import io.slipstream.cli.console.Usage;
import io.slipstream.service.snapshot.SnapshotPolicy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** When a service takes snapshots, and how much of its log it keeps: options of every command that serves. */
public final class SnapshotOptions {
    /** What these options are called. */
    public static final List<String> NAMES = List.of("--snapshot-every", "--keep", "--check-snapshots");

    private static final int MOST_MEGABYTES = 1 << 20;
    private static final int MOST_HOURS = 1_000_000;

    @Option(
            names = "--snapshot-every",
            paramLabel = "MB",
            defaultValue = "1024",
            description = "Takes a snapshot whenever the journal has grown by so many megabytes on the device.")
    private int megabytes;

    @Option(
            names = "--keep",
            paramLabel = "HOURS",
            description = "Removes the journal that no snapshot needs once it is so many hours old, 0 for at once; "
                    + "all of it is kept if not given.")
    private @Nullable Integer hours;

    @Option(
            names = "--check-snapshots",
            description = "Loads each snapshot again before it counts, and keeps none that leads to another state.")
    private boolean checked;

    /** Creates the options; picocli fills them in. */
    public SnapshotOptions() {}

    /** Returns what the options say, for a service that can make a second instance of its state machine. */
    public SnapshotPolicy policy(CommandSpec command) {
        Usage.range(command, "--snapshot-every", megabytes, 1, MOST_MEGABYTES);
        SnapshotPolicy policy = SnapshotPolicy.everyLogBytes((long) megabytes << 20);
        if (hours != null) {
            Usage.range(command, "--keep", hours, 0, MOST_HOURS);
            policy = policy.withLogKept(Duration.ofHours(hours));
        }
        return checked ? policy.withLoadCheck() : policy;
    }
}
