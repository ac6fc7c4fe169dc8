package io.slipstream.benchmarks.cluster;

import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.config.Joining;
import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.config.Members;
import io.slipstream.cluster.member.ClusterMember;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Ours, with a machine that counts; the client comes over TCP. */
final class SlipstreamReplicas extends FutureReplicas {
    private final byte[] command = new byte[COMMAND_BYTES];
    private final List<ClusterMember> members = new ArrayList<>();
    private final ServiceClient client;

    SlipstreamReplicas(boolean forced) throws IOException {
        super(Folders.create());
        List<MemberAddress> addresses = new ArrayList<>();
        for (int id = 0; id < 3; id++) {
            addresses.add(new MemberAddress(id, "127.0.0.1", Folders.ports(MemberAddress.PORTS)));
        }
        Members all = new Members(addresses);
        for (int id = 0; id < 3; id++) {
            ServiceConfig service = ServiceConfig.in(Files.createDirectory(folder().resolve("member-" + id)))
                    .withMaxResponseTime(Duration.ofSeconds(30));
            members.add(ClusterMember.start(
                    ClusterConfig.of(all, id, service)
                            .withForced(forced)
                            .withSnapshotLogBytes(0)
                            .withJoining(Joining.FORM),
                    new Counter()));
        }
        client = ServiceClient.builder(all.clients())
                .timeout(Duration.ofMinutes(1))
                .connect();
    }

    @Override
    CompletableFuture<?> send() {
        return client.send(command);
    }

    @Override
    void end() {
        client.close();
        members.forEach(ClusterMember::close);
    }

    private static final class Counter implements StateMachine {
        private static final byte[] NOTHING = new byte[0];
        private long count;

        @Override
        public void onCommand(Request command, Output output) {
            count++;
            output.reply(NOTHING);
        }

        @Override
        public void onQuery(Request query, Output output) {
            output.reply(NOTHING);
        }

        @Override
        public long stateHash() {
            return count;
        }
    }
}
