package io.slipstream.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.cluster.grid.Grid;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ServiceClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One cluster for all tests, which leave it whole. */
class GridTest {
    private static Grid grid;

    @BeforeAll
    static void start() throws IOException {
        grid = Grid.of(3, Sum::new);
    }

    @AfterAll
    static void end() {
        grid.close();
    }

    @BeforeEach
    void all() throws IOException {
        grid.heal();
        for (int id = 0; id < grid.size(); id++) {
            if (!grid.isRunning(id)) {
                grid.start(id);
            }
        }
        grid.awaitLeader();
    }

    @Test
    void appliesCommandsOnceAtAllMembersWhicheverTheyCameTo() throws IOException {
        try (ServiceClient first = grid.client(0).connect();
                ServiceClient second = grid.client(1).connect();
                ServiceClient third = grid.client(2).connect()) {
            long before = Sum.number(first.query(new byte[0]).payload());
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                replies.add(List.of(first, second, third).get(i % 3).send(Sum.bytes(1)));
            }
            replies.forEach(CompletableFuture::join);
            assertThat(replies.stream()
                            .map(reply -> Sum.number(reply.join().payload()))
                            .sorted())
                    .doesNotHaveDuplicates()
                    .last()
                    .isEqualTo(before + 300);
            assertThat(Sum.number(second.query(new byte[0]).payload())).isEqualTo(before + 300);
            assertThat(first.status().sequence()).isPositive();
        }
        assertThat(grid.awaitSameState().sessions()).isZero();
    }

    @Test
    void losesNothingAndRepeatsNothingWhenTheLeaderIsKilledUnderLoad() throws IOException {
        try (ServiceClient client = grid.client().connect()) {
            long before = Sum.number(client.query(new byte[0]).payload());
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                if (i == 200) {
                    replies.getFirst().join();
                    grid.kill(grid.awaitLeader());
                }
                replies.add(client.send(Sum.bytes(1)));
            }
            replies.forEach(CompletableFuture::join);
            assertThat(replies.stream().map(reply -> Sum.number(reply.join().payload())))
                    .isSorted()
                    .doesNotHaveDuplicates()
                    .last()
                    .isEqualTo(before + 400);
        }
        all();
        grid.awaitSameState();
    }

    @Test
    void bringsARestartedMemberToWhereTheOthersAre() throws IOException {
        int follower = (grid.awaitLeader() + 1) % 3;
        grid.stop(follower);
        try (ServiceClient client = grid.client().connect()) {
            client.call(Sum.bytes(5));
            grid.start(follower);
            grid.awaitApplied(follower, client.call(Sum.bytes(6)).sequence());
        }
        grid.awaitSameState();
    }

    @Test
    void goesOnFromASnapshotWhenAllWereKilledAtOnce() throws IOException {
        long sum;
        try (ServiceClient client = grid.client().connect()) {
            client.call(Sum.bytes(7));
            grid.snapshot();
            sum = Sum.number(client.call(Sum.bytes(8)).payload());
        }
        for (int id = 0; id < 3; id++) {
            grid.kill(id);
        }
        all();
        try (ServiceClient client = grid.client().connect()) {
            assertThat(Sum.number(client.call(Sum.bytes(1)).payload())).isEqualTo(sum + 1);
        }
        grid.awaitSameState();
    }

    @Test
    void firesTimersAndPublishesAtEachMember() throws IOException {
        try (ServiceClient client = grid.client().connect()) {
            long before = Sum.number(client.query(new byte[1]).payload());
            client.call(Sum.bytes(0));
            grid.await(
                    "the timer fires",
                    () -> Sum.number(client.query(new byte[1]).payload()) > before);
        }
        grid.awaitSameState();
    }

    @Test
    void movesClientsAwayFromAMemberThatIsCutOff() throws IOException {
        int leader = grid.awaitLeader();
        try (ServiceClient client = grid.client().connect()) {
            long sum = Sum.number(client.call(Sum.bytes(1)).payload());
            grid.cutOff(leader);
            for (int i = 1; i <= 10; i++) {
                assertThat(Sum.number(client.call(Sum.bytes(1)).payload())).isEqualTo(sum + i);
            }
            grid.heal();
        }
        grid.awaitSameState();
    }
}
