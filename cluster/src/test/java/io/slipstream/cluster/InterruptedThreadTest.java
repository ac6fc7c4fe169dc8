package io.slipstream.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.config.Joining;
import io.slipstream.cluster.config.Members;
import io.slipstream.cluster.files.MemberCheck;
import io.slipstream.cluster.files.MemberCopy;
import io.slipstream.cluster.grid.FreePorts;
import io.slipstream.cluster.grid.Grid;
import io.slipstream.cluster.member.ClusterMember;
import io.slipstream.service.ServiceConfig;
import io.slipstream.testkit.Await;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application may interrupt the thread that starts and ends a member. */
class InterruptedThreadTest {
    @TempDir
    private Path folder;

    @AfterEach
    void calm() {
        Thread.interrupted();
    }

    @Test
    void startsSnapshotsAndEndsAMember() throws Exception {
        Members members = FreePorts.members(1);
        ServiceConfig service = ServiceConfig.in(folder)
                .withMaxResponseTime(Await.RESPONSE)
                .withLimits(limits -> limits.withRings(1 << 20, 1 << 20));
        ClusterConfig config =
                ClusterConfig.of(members, 0, service).withTermBytes(1 << 18).withJoining(Joining.FORM);
        Thread.currentThread().interrupt();
        ClusterMember member = ClusterMember.start(config, new Sum());
        try {
            assertThat(Thread.interrupted()).as("still interrupted").isTrue();
            Await.until("it leads", member::isLeader);
            Thread.currentThread().interrupt();
            member.logBytes();
        } finally {
            member.close();
        }
        assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    }

    @Test
    void hasEndedAllThreadsOfAMemberThatItCloses() throws Exception {
        try (Grid grid = Grid.of(1, Sum::new)) {
            grid.client().connect().close();
            Thread.currentThread().interrupt();
            assertThat(grid.state(0).sequence()).isNotNegative();
            grid.member(0).close();
            assertThat(Thread.interrupted()).as("still interrupted").isTrue();
            assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(name -> name.startsWith("consensus-module") || name.startsWith("clustered-service"));
        }
    }

    @Test
    void looksAtTheLogOfAMemberAndCopiesIt() throws Exception {
        Members members = FreePorts.members(1);
        Path directory = folder.resolve("member");
        ServiceConfig service = ServiceConfig.in(directory)
                .withMaxResponseTime(Await.RESPONSE)
                .withLimits(limits -> limits.withRings(1 << 20, 1 << 20));
        ClusterConfig config =
                ClusterConfig.of(members, 0, service).withTermBytes(1 << 18).withJoining(Joining.FORM);
        try (ClusterMember member = ClusterMember.start(config, new Sum())) {
            Await.until("it leads", member::isLeader);
        }
        Thread.currentThread().interrupt();
        assertThat(MemberCheck.of(directory)).allMatch(MemberCheck.Finding::isWhole);
        assertThat(MemberCopy.make(directory, folder.resolve("copy"), List.of()))
                .isPositive();
        assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    }
}
