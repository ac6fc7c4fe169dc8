package io.slipstream.cli.cluster;

import io.slipstream.cli.console.SiteOptions;
import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.config.Members;
import io.slipstream.cluster.control.ControlClient;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
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

    @Option(
            names = "--control-token",
            paramLabel = "FILE",
            description = "File with the token that the members were given with --control-token.")
    private @Nullable Path token;

    /** Returns what asks the members. */
    ControlClient client() throws IOException {
        return new ControlClient(token());
    }

    /** Returns the token of the members; null if they have none. */
    @Nullable
    String token() throws IOException {
        Path given = token;
        return given == null ? null : SiteOptions.token(given);
    }

    Members members() throws IOException {
        return Members.load(file);
    }

    /** Returns the member that says of itself that it leads. */
    MemberAddress leader() throws IOException {
        ControlClient client = client();
        String last = "";
        for (MemberAddress member : members().all()) {
            try {
                if (client.status(member).leads()) {
                    return member;
                }
            } catch (IOException e) {
                last = ". " + e.getMessage();
            }
        }
        throw new IOException(
                "no member says that it is the leader; ask again in a moment, or see 'cluster status'" + last);
    }
}
