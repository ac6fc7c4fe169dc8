package io.slipstream.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.files.MemberLog;
import io.slipstream.cluster.grid.Grid;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A member that lacks what the leader has removed gets it by itself, while the others go on. */
class CatchUpTest {
    private static final int BATCH = 500;

    private static ClusterConfig trimming(ClusterConfig config) {
        return config.withSnapshotLogBytes(300_000);
    }

    @Test
    void aMemberThatWasAwayForThreeSnapshotsComesBackUnderLoad() throws IOException {
        try (Grid grid = Grid.of(3, Sum::new, CatchUpTest::trimming);
                ServiceClient client = grid.client().connect()) {
            client.call(Sum.bytes(1));
            int away = (grid.awaitLeader() + 1) % 3;
            grid.stop(away);
            long sum = 1 + callUntilItLacks(away, 3, grid, client);
            AtomicBoolean isEnough = new AtomicBoolean();
            CompletableFuture<Long> load = CompletableFuture.supplyAsync(() -> callUntil(isEnough, client));
            grid.start(away);
            grid.await("it takes part", () -> grid.member(away).isReady());
            isEnough.set(true);
            sum += load.join();
            requireCounts(away, sum, grid, client);
        }
    }

    @Test
    void aMemberThatWasCutOffMeanwhileComesBackWithoutAnOperator() throws IOException {
        try (Grid grid = Grid.of(3, Sum::new, CatchUpTest::trimming);
                ServiceClient client = grid.client().connect()) {
            client.call(Sum.bytes(1));
            int away = (grid.awaitLeader() + 1) % 3;
            grid.pause(away);
            long sum = 1 + callUntilItLacks(away, 2, grid, client);
            grid.heal(away);
            requireCounts(away, sum, grid, client);
        }
    }

    /** The member has all that was answered, and is one of the majority from now on. */
    private static void requireCounts(int away, long sum, Grid grid, ServiceClient client) throws IOException {
        grid.awaitApplied(away, client.call(Sum.bytes(0)).sequence());
        grid.await(
                "it takes part", () -> grid.isRunning(away) && grid.member(away).isReady());
        int leader = grid.awaitLeader();
        grid.kill(leader == away ? (away + 1) % 3 : leader);
        assertThat(Sum.number(client.call(Sum.bytes(1)).payload())).isEqualTo(sum + 1);
        grid.awaitSameState();
    }

    private static long callUntilItLacks(int away, int snapshots, Grid grid, ServiceClient client) throws IOException {
        long called = 0;
        int leader = grid.awaitLeader();
        long first = grid.member(leader).snapshots();
        while (grid.member(leader).snapshots() < first + snapshots
                || MemberLog.of(grid.directory(leader)).start() <= MemberLog.endIn(grid.directory(away))) {
            callTimes(BATCH, client);
            called += BATCH;
            assertThat(grid.awaitLeader()).isEqualTo(leader);
        }
        return called;
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
}
