package io.slipstream.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.config.Joining;
import io.slipstream.cluster.grid.Grid;
import io.slipstream.cluster.member.ClusterMember;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/cluster.md says under "Replacing a member", step by step. */
class ReplacementTest {
    private static final long QUIET_NANOS = 5_000_000_000L;

    /** An empty member and one that was away are a majority, and have nothing of what was answered meanwhile. */
    @Test
    void losesNothingThatWasAnsweredWhenTheOnlyMemberThatHasItIsAwayToo() throws IOException {
        try (Grid grid = Grid.of(3, Sum::new)) {
            try (ServiceClient client = grid.client().connect()) {
                client.call(Sum.bytes(1));
                grid.stop(2);
                callTimes(100, client);
            }
            grid.stop(0);
            grid.kill(1);
            remove(grid.directory(1));
            assertThatThrownBy(() -> grid.start(1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("holds no member")
                    .hasMessageContaining("--replace");
            grid.start(2);
            CompletableFuture<ClusterMember> replaced = CompletableFuture.supplyAsync(() -> replacement(grid, 1));
            long begin = System.nanoTime();
            grid.await("some elections could have been held", () -> System.nanoTime() - begin > QUIET_NANOS);
            assertThat(grid.leader()).isEqualTo(-1);
            assertThat(replaced).isNotDone();
            grid.start(0);
            try (ClusterMember member = replaced.join();
                    ServiceClient client = grid.client().connect()) {
                Reply reply = client.call(Sum.bytes(1));
                assertThat(Sum.number(reply.payload())).isEqualTo(102);
                grid.await("the member applies it", () -> member.applied() >= reply.sequence());
                assertThat(member.state().join().stateHash())
                        .isEqualTo(grid.awaitSameState().stateHash());
            }
        }
    }

    /** As {@link Grid#replace} does, while other members of the grid are started. */
    private static ClusterMember replacement(Grid grid, int id) {
        ServiceConfig service = ServiceConfig.in(grid.directory(id))
                .withMaxResponseTime(Await.RESPONSE)
                .withLimits(limits -> limits.withRings(1 << 20, 1 << 20));
        ClusterConfig config = ClusterConfig.of(grid.members(), id, service)
                .withTermBytes(1 << 18)
                .withJoining(Joining.REPLACE);
        try {
            return ClusterMember.start(config, new Sum());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void replacesAMemberUnderLoadThoughTheLogNoLongerGoesBackToItsBeginning() throws IOException {
        try (Grid grid = Grid.of(3, Sum::new, config -> config.withSnapshotLogBytes(500_000));
                ServiceClient client = grid.client().connect()) {
            int leader = grid.awaitLeader();
            Path archive = grid.directory(leader).resolve("archive");
            long sum = 0;
            while (hasBeginning(archive)) {
                sum += 500;
                callTimes(500, client);
            }
            int lost = (grid.awaitLeader() + 1) % 3;
            grid.kill(lost);
            remove(grid.directory(lost));
            AtomicBoolean isEnough = new AtomicBoolean();
            CompletableFuture<Long> load = CompletableFuture.supplyAsync(() -> callUntil(isEnough, client));
            grid.replace(lost);
            isEnough.set(true);
            sum += load.join();
            grid.awaitApplied(lost, client.call(Sum.bytes(0)).sequence());
            // It counts as any other from now on.
            grid.kill(grid.awaitLeader());
            assertThat(Sum.number(client.call(Sum.bytes(1)).payload())).isEqualTo(sum + 1);
            grid.awaitSameState();
        }
    }

    @Test
    void startsAReplacedMemberAgainAsAnyOther() throws IOException {
        try (Grid grid = Grid.of(3, Sum::new);
                ServiceClient client = grid.client().connect()) {
            client.call(Sum.bytes(1));
            int lost = (grid.awaitLeader() + 1) % 3;
            grid.replace(lost);
            grid.awaitApplied(lost, client.call(Sum.bytes(2)).sequence());
            grid.kill(lost);
            grid.start(lost);
            grid.awaitApplied(lost, client.call(Sum.bytes(3)).sequence());
            try (ServiceClient there = grid.client(lost).connect()) {
                assertThat(Sum.number(there.call(Sum.bytes(4)).payload())).isEqualTo(10);
            }
            grid.awaitSameState();
        }
    }

    @Test
    void refusesTheFolderOfAnotherMember() throws IOException {
        try (Grid grid = Grid.of(2, Sum::new)) {
            grid.stop(0);
            grid.stop(1);
            ClusterConfig config = ClusterConfig.of(grid.members(), 1, ServiceConfig.in(grid.directory(0)));
            assertThatThrownBy(() -> ClusterMember.start(config, new Sum()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is the folder of 'member 0'");
        }
    }

    private static void callTimes(int times, ServiceClient client) {
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            replies.add(client.send(Sum.bytes(1)));
        }
        replies.forEach(CompletableFuture::join);
    }

    private static long callUntil(AtomicBoolean isEnough, ServiceClient client) {
        long answered = 0;
        while (!isEnough.get()) {
            client.call(Sum.bytes(1));
            answered++;
        }
        return answered;
    }

    private static boolean hasBeginning(Path archive) {
        return Files.exists(archive.resolve("0-0.rec"));
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
