package io.slipstream.cli.cluster;

import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.control.ControlClient;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slipstream cluster snapshot}. */
@Command(name = "snapshot", mixinStandardHelpOptions = true, description = "Takes a snapshot at all members.")
final class SnapshotCommand implements Callable<Integer> {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long PAUSE_MILLIS = 50;

    @Spec
    private CommandSpec spec;

    @Mixin
    private MembersOption cluster;

    @SuppressWarnings("NullAway.Init")
    SnapshotCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        MemberAddress leader = cluster.leader();
        ControlClient client = cluster.client();
        long before = client.status(leader).snapshots();
        client.snapshot(leader);
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (client.status(leader).snapshots() == before) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("member " + leader.id() + " has not completed its snapshot within "
                        + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS) + " s; its output says why, for example that"
                        + " the state machine does not save its state");
            }
            Thread.sleep(PAUSE_MILLIS);
        }
        spec.commandLine()
                .getOut()
                .printf(Locale.ROOT, "All members have taken a snapshot, led by member %d.%n", leader.id());
        return 0;
    }
}
