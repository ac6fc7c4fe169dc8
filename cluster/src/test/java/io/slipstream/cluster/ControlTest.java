package io.slipstream.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.config.Joining;
import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.config.Members;
import io.slipstream.cluster.control.ControlClient;
import io.slipstream.cluster.control.MemberProcess;
import io.slipstream.cluster.control.Report;
import io.slipstream.cluster.grid.FreePorts;
import io.slipstream.cluster.grid.Grid;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlTest {
    private static final String TOKEN = "a token of operators";

    private final ControlClient operator = new ControlClient(TOKEN);
    private final Members members;

    @TempDir
    private Path folder;

    ControlTest() throws IOException {
        members = FreePorts.members(3);
    }

    private List<MemberProcess> start() throws Exception {
        List<MemberProcess> started = new ArrayList<>();
        for (int id = 0; id < members.size(); id++) {
            ServiceConfig service = ServiceConfig.in(folder.resolve("member-" + id))
                    .withMaxResponseTime(Await.RESPONSE)
                    .withLimits(limits -> limits.withRings(1 << 20, 1 << 20));
            ClusterConfig config = ClusterConfig.of(members, id, service)
                    .withTermBytes(1 << 18)
                    .withJoining(Joining.FORM);
            started.add(MemberProcess.start(config, Sum::new, null, TOKEN));
        }
        Await.until("all are ready", () -> members.all().stream().allMatch(this::isReady));
        return started;
    }

    private boolean isReady(MemberAddress member) {
        try {
            return operator.status(member).ready();
        } catch (IOException e) {
            return false;
        }
    }

    private MemberAddress leader() throws Exception {
        return Await.value(
                        "one leads",
                        () -> {
                            for (MemberAddress member : members.all()) {
                                if (operator.status(member).leads()) {
                                    return List.of(member);
                                }
                            }
                            return List.<MemberAddress>of();
                        },
                        found -> !found.isEmpty())
                .getFirst();
    }

    @Test
    void anotherMemberLeadsAfterOneHasSteppedDown() throws Exception {
        List<MemberProcess> started = start();
        try (ServiceClient client = ServiceClient.builder(members.clients())
                .connectTimeout(Grid.PATIENCE)
                .connect()) {
            long sum = 0;
            for (int round = 1; round <= 3; round++) {
                sum += round;
                assertThat(Sum.number(client.call(Sum.bytes(round)).payload())).isEqualTo(sum);
                MemberAddress before = leader();
                int next = operator.transfer(before);
                assertThat(next).isNotEqualTo(before.id());
                Await.until("it is back", () -> isReady(before));
                assertThat(operator.status(before).leads()).isFalse();
                assertThat(leader().id()).isEqualTo(next);
            }
        } finally {
            started.forEach(MemberProcess::close);
        }
    }

    @Test
    void aMemberStaysTheLeaderWhenTheOthersAreNoMajority() throws Exception {
        List<MemberProcess> started = start();
        try {
            MemberAddress leader = leader();
            int other = (leader.id() + 1) % 3;
            int third = (leader.id() + 2) % 3;
            Report report = operator.status(leader);
            assertThat(report.member()).isEqualTo(leader.id());
            assertThat(report.skips()).isEqualTo("-");
            assertThatThrownBy(() -> operator.transfer(members.get(other)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("it is not the leader");
            started.get(other).close();
            assertThatThrownBy(() -> operator.transfer(leader))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("without it 1 of 3 members are ready");
            assertThat(operator.status(leader).leads()).isTrue();
            // Alone it is there, and says that it is of no use.
            started.get(leader.id()).close();
            Await.until(
                    "the last one is not ready",
                    () -> !operator.status(members.get(third)).ready());
        } finally {
            started.forEach(MemberProcess::close);
        }
    }

    /** The other address is nobody's, so that whatever listened on it would fail. */
    @Test
    void aMemberListensOnAnotherAddressThanTheOneAtWhichOthersReachIt() throws Exception {
        int port = members.get(0).port();
        Members translated = new Members(List.of(new MemberAddress(0, "192.0.2.1", port)));
        ServiceConfig service = ServiceConfig.in(folder.resolve("member-0"))
                .withMaxResponseTime(Await.RESPONSE)
                .withLimits(limits -> limits.withRings(1 << 20, 1 << 20));
        ClusterConfig config = ClusterConfig.of(translated, 0, service)
                .withTermBytes(1 << 18)
                .withJoining(Joining.FORM)
                .withBind("127.0.0.1");
        try (MemberProcess process = MemberProcess.start(config, Sum::new, null, TOKEN);
                ServiceClient client = ServiceClient.builder("127.0.0.1:" + port)
                        .connectTimeout(Grid.PATIENCE)
                        .connect()) {
            assertThat(Sum.number(client.call(Sum.bytes(7)).payload())).isEqualTo(7);
            assertThat(process.member().isLeader()).isTrue();
            assertThat(operator.status(members.get(0)).ready()).isTrue();
        }
    }

    @Test
    void saysOfAMemberThatDoesNotRunThatItDoesNot() {
        assertThatThrownBy(() -> operator.status(new MemberAddress(2, "127.0.0.1", 11_990)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("member 2 at 127.0.0.1:11996 does not run");
    }
}
