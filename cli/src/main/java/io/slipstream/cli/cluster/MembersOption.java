package io.slipstream.cli.cluster;

import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.config.Members;
import io.slipstream.cluster.control.ControlClient;
import io.slipstream.cluster.control.Report;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which cluster is meant. */
final class MembersOption {
    @Option(
            names = "--cluster",
            required = true,
            paramLabel = "FILE",
            description = "File that names the members, such as member.0 = 10.0.0.1:9000.")
    private Path file;

    @SuppressWarnings("NullAway.Init")
    MembersOption() {}

    Members members() throws IOException {
        return Members.load(file);
    }

    /** Returns the member that says of itself that it leads. */
    MemberAddress leader() throws IOException {
        for (MemberAddress member : members().all()) {
            try {
                Report report = ControlClient.status(member);
                if (report.leads()) {
                    return member;
                }
            } catch (IOException e) {
                // Another one may be it.
            }
        }
        throw new IOException("no member says that it is the leader; ask again in a moment, or see 'cluster status'");
    }
}
