package io.slipstream.cli.cluster;

import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.config.Members;
import io.slipstream.cluster.control.ControlClient;
import io.slipstream.cluster.control.Report;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slipstream cluster status}. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = "Says how each member is. Exits with 0 if a majority runs and there is a leader.")
final class StatusCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private MembersOption cluster;

    @SuppressWarnings("NullAway.Init")
    StatusCommand() {}

    @Override
    public Integer call() throws IOException {
        Members members = cluster.members();
        PrintWriter out = spec.commandLine().getOut();
        int running = 0;
        boolean led = false;
        for (MemberAddress member : members.all()) {
            try {
                Report report = ControlClient.status(member);
                running++;
                led |= report.leads();
                out.printf(
                        Locale.ROOT,
                        "member %d  %-8s  entry %,d  state %016x  %,d sessions  %,d bytes of log  clients: %s%n",
                        member.id(),
                        report.leads() ? "leader" : "follower",
                        report.sequence(),
                        report.stateHash(),
                        report.sessions(),
                        report.logBytes(),
                        member.clients());
            } catch (IOException e) {
                out.printf(Locale.ROOT, "member %d  not here  %s%n", member.id(), e.getMessage());
            }
        }
        return led && running >= members.majority() ? 0 : 1;
    }
}
