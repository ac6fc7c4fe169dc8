package io.slipstream.cli.cluster;

import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.control.ControlClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.util.concurrent.Callable;

/** {@code slipstream cluster snapshot}. */
@Command(name = "snapshot", mixinStandardHelpOptions = true,
        description = "Takes a snapshot at all members.")
final class SnapshotCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private MembersOption cluster;

    @SuppressWarnings("NullAway.Init")
    SnapshotCommand() {
    }

    @Override
    public Integer call() throws IOException {
        MemberAddress leader = cluster.leader();
        ControlClient.snapshot(leader);
        spec.commandLine().getOut().printf("Member %d takes a snapshot with all others.%n", leader.id());
        return 0;
    }
}
