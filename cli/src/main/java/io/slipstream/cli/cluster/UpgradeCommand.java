package io.slipstream.cli.cluster;

import io.slipstream.cluster.config.MemberAddress;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slipstream cluster upgrade}. */
@Command(
        name = "upgrade",
        mixinStandardHelpOptions = true,
        description = {
            "Lets all members act as the newest version of the state machine that they know, from one log entry on.",
            "Refused while a member is away or does not know it. There is no way back to code of the former version."
        })
final class UpgradeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private MembersOption cluster;

    @SuppressWarnings("NullAway.Init")
    UpgradeCommand() {}

    @Override
    public Integer call() throws IOException {
        MemberAddress leader = cluster.leader();
        int version = cluster.client().upgrade(leader);
        spec.commandLine().getOut().printf(Locale.ROOT, "The members act as version %d from now on.%n", version);
        return 0;
    }
}
