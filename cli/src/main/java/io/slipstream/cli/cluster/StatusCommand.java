package io.slipstream.cli.cluster;

import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.config.Members;
import io.slipstream.cluster.control.ControlClient;
import io.slipstream.cluster.control.Report;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slipstream cluster status}. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = {
            "Says how each member is.",
            "Exits with 0 if there is a leader, a majority is ready, and so is each member that runs; and if all that "
                    + "run pass over the same entries."
        })
final class StatusCommand implements Callable<Integer> {
    private static final String NONE = "-";

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
        ControlClient client = cluster.client();
        int ready = 0;
        int running = 0;
        boolean led = false;
        Set<String> skips = new TreeSet<>();
        int version = -1;
        int known = -1;
        for (MemberAddress member : members.all()) {
            try {
                Report report = client.status(member);
                running++;
                ready += report.ready() ? 1 : 0;
                led |= report.leads();
                skips.add(report.skips());
                version = Math.max(version, report.version());
                known = Math.max(known, report.knows());
                out.printf(
                        Locale.ROOT,
                        "member %d  %-9s  entry %,d  state %016x  %,d sessions  %,d bytes of log  version %d%s"
                                + "  clients: %s%n",
                        member.id(),
                        report.leads() ? "leader" : report.ready() ? "follower" : "not ready",
                        report.sequence(),
                        report.stateHash(),
                        report.sessions(),
                        report.logBytes(),
                        report.version(),
                        report.knows() > report.version() ? ", knows " + report.knows() : "",
                        member.clients());
            } catch (IOException e) {
                out.printf(Locale.ROOT, "member %d  not here  %s%n", member.id(), e.getMessage());
            }
        }
        if (ready < running) {
            out.println("A member that is not ready has not joined, has not caught up, or does not reach the majority."
                    + " Its output says more.");
        }
        if (skips.size() > 1) {
            out.printf(
                    Locale.ROOT,
                    "Members pass over different entries, and will have different states: %s.%n",
                    String.join(" and ", skips));
        } else if (!skips.isEmpty() && !skips.contains(NONE)) {
            out.printf(
                    Locale.ROOT,
                    "All of them pass over: %s.%n",
                    skips.iterator().next());
        }
        if (version >= 0 && known > version) {
            out.printf(
                    Locale.ROOT,
                    "The members act as version %d. When all of them know version %d, 'cluster upgrade' switches.%n",
                    version,
                    known);
        }
        return led && ready == running && ready >= members.majority() && skips.size() == 1 ? 0 : 1;
    }
}
