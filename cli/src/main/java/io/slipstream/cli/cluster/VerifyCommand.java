package io.slipstream.cli.cluster;

import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.config.Members;
import io.slipstream.cluster.control.ControlClient;
import io.slipstream.cluster.control.Report;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slipstream cluster verify}. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = {
            "Compares the state of all members at the same place of the log, which it waits for; under a "
                    + "load that never pauses they may not be seen there at once.",
            "Exits with 0 if all members were seen at one place with one state."
        })
final class VerifyCommand implements Callable<Integer> {
    private static final int ATTEMPTS = 200;
    private static final long PAUSE_MILLIS = 50;

    @Spec
    private CommandSpec spec;

    @Mixin
    private MembersOption cluster;

    @SuppressWarnings("NullAway.Init")
    VerifyCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        Members members = cluster.members();
        ControlClient client = cluster.client();
        Map<Long, Set<Long>> hashes = new HashMap<>();
        Map<Long, Set<Integer>> seen = new HashMap<>();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            for (MemberAddress member : members.all()) {
                Report report = client.status(member);
                hashes.computeIfAbsent(report.sequence(), sequence -> new HashSet<>())
                        .add(report.stateHash());
                seen.computeIfAbsent(report.sequence(), sequence -> new HashSet<>())
                        .add(member.id());
                if (hashes.getOrDefault(report.sequence(), Set.of()).size() > 1) {
                    throw new IOException("members have different states behind entry " + report.sequence()
                            + "; member " + member.id() + " is one of them");
                }
                if (seen.getOrDefault(report.sequence(), Set.of()).size() == members.size()) {
                    spec.commandLine()
                            .getOut()
                            .printf(
                                    Locale.ROOT,
                                    "All %d members have state %016x behind entry %,d.%n",
                                    members.size(),
                                    report.stateHash(),
                                    report.sequence());
                    return 0;
                }
            }
            Thread.sleep(PAUSE_MILLIS);
        }
        throw new IOException("the members were not seen at the same place of the log; try again with less load");
    }
}
