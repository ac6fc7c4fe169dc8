package io.slipstream.cli.cluster;

import io.slipstream.cluster.config.MemberAddress;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slipstream cluster transfer}. */
@Command(
        name = "transfer",
        mixinStandardHelpOptions = true,
        description = {
            "Lets the leader step down, and waits until another member leads.",
            "Exits with 0 if one does; without a majority of others nothing happens."
        })
final class TransferCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private MembersOption cluster;

    @SuppressWarnings("NullAway.Init")
    TransferCommand() {}

    @Override
    public Integer call() throws IOException {
        MemberAddress leader = cluster.leader();
        int next = cluster.client().transfer(leader);
        spec.commandLine()
                .getOut()
                .printf(Locale.ROOT, "Member %d has stepped down; member %d leads.%n", leader.id(), next);
        return 0;
    }
}
