package io.slipstream.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.config.Joining;
import io.slipstream.cluster.config.MemberAddress;
import io.slipstream.cluster.config.Members;
import io.slipstream.cluster.control.ControlClient;
import io.slipstream.cluster.control.MemberProcess;
import io.slipstream.cluster.grid.FreePorts;
import io.slipstream.cluster.grid.Grid;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What docs/cluster.md says under "A new version of the state machine", step by step. */
class UpgradeTest {
    private static final int CHECK_EVERY = 64;

    private final ControlClient operator = new ControlClient(null);

    @TempDir
    private Path folder;

    @Test
    void membersAreReplacedByANewVersionUnderLoadAndActAsItOnlyWhenTold() throws Exception {
        try (Grid grid = Grid.of(3, () -> new Counting(0), UpgradeTest::checked);
                Load load = new Load(grid)) {
            load.awaitMore();
            grid.snapshot();
            for (int id = 0; id < 3; id++) {
                grid.stop(id);
                load.awaitMore();
                grid.start(id, () -> new Counting(1));
                awaitPresent(grid, id);
                load.awaitMore();
                // Each member writes it in the format of its own version, and reads it again.
                grid.snapshot();
            }
            grid.stop(0);
            grid.start(0);
            awaitPresent(grid, 0);
            load.awaitMore();
            for (int id = 0; id < 3; id++) {
                assertThat(grid.member(id).version()).isZero();
                assertThat(grid.member(id).knownVersion()).isEqualTo(1);
            }
            int before = load.answered();
            grid.upgrade();
            load.awaitMore();
            List<Long> sums = load.end();
            List<Long> steps = steps(sums);
            assertThat(steps.subList(0, before - 1)).as("acts as version 0").containsOnly(1L);
            assertThat(steps).as("from one entry on, as version 1").isSorted().contains(2L);
            grid.awaitSameState();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aMemberOfTheFormerVersionIsRefusedAfterwards(boolean withSnapshot) throws Exception {
        try (Grid grid = Grid.of(3, () -> new Counting(0));
                ServiceClient client = grid.client().connect()) {
            client.call(Sum.bytes(1));
            for (int id = 0; id < 3; id++) {
                grid.start(id, () -> new Counting(1));
                awaitPresent(grid, id);
            }
            grid.upgrade();
            grid.awaitSameState();
            if (withSnapshot) {
                grid.snapshot();
            }
            grid.start(2, () -> new Counting(0));
            assertThatThrownBy(() -> Await.done(grid.member(2).ended()))
                    .rootCause()
                    .hasMessageContaining("was written by version 1 of 'counting', and this is version 0")
                    .hasMessageContaining("serve it with the newer one");
            assertThat(Sum.number(client.call(Sum.bytes(1)).payload())).isEqualTo(3);
            grid.start(2, () -> new Counting(1));
            grid.awaitApplied(2, client.call(Sum.bytes(1)).sequence());
            assertThat(grid.member(2).version()).isEqualTo(1);
            grid.awaitSameState();
        }
    }

    @Test
    void anUpgradeIsRefusedWhileAMemberDoesNotKnowTheVersionOrIsAway() throws Exception {
        Members members = FreePorts.members(3);
        List<MemberProcess> processes = new ArrayList<>();
        try {
            for (int id = 0; id < 3; id++) {
                processes.add(process(members, id, 0, Joining.FORM));
            }
            assertRefused(members, 3, "all members know version 0 and act as it");
            replace(processes, members, 0);
            assertRefused(members, 3, "know version 1: member 1 knows version 0 alone; member 2 knows version 0 alone");
            replace(processes, members, 1);
            assertRefused(members, 3, "know version 1: member 2 knows version 0 alone");
            processes.get(2).close();
            assertRefused(members, 2, "know version 1: member 2 at 127.0.0.1:");
            processes.set(2, process(members, 2, 1, Joining.AGAIN));
            awaitReady(members, 3);
            assertThat(operator.upgrade(leader(members))).isEqualTo(1);
            for (MemberAddress member : members.all()) {
                Await.until(
                        "it acts as version 1", () -> operator.status(member).version() == 1);
            }
            assertRefused(members, 3, "all members know version 1 and act as it");
        } finally {
            processes.forEach(MemberProcess::close);
            FreePorts.giveBack(members);
        }
    }

    @Test
    void anUpgradeThatFailsStopsAllMembersAndNamesTheEntry() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (Grid grid = Grid.of(3, () -> new Counting(0));
                ServiceClient client = grid.client().connect()) {
            client.call(Sum.bytes(1));
            for (int id = 0; id < 3; id++) {
                grid.start(id, () -> new Counting(1) {
                    @Override
                    public void onUpgrade(int formerVersion, Output output) {
                        asked.incrementAndGet();
                        throw new IllegalArgumentException("a bug");
                    }
                });
                awaitPresent(grid, id);
            }
            grid.member(0).upgrade();
            for (int id = 0; id < 3; id++) {
                CompletableFuture<Void> ended = grid.member(id).ended();
                assertThatThrownBy(() -> Await.done(ended))
                        .hasStackTraceContaining("in the upgrade from version 0")
                        .hasStackTraceContaining("slipstream cluster skip " + grid.directory(id) + " ");
            }
            for (int id = 0; id < 3; id++) {
                grid.start(id, () -> new Counting(1));
            }
            assertThat(Sum.number(client.call(Sum.bytes(1)).payload())).isEqualTo(3);
            grid.awaitSameState();
        }
        assertThat(asked).hasValue(3);
    }

    private void assertRefused(Members members, int running, String why) throws Exception {
        awaitReady(members, running);
        MemberAddress leader = leader(members);
        assertThatThrownBy(() -> operator.upgrade(leader))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(why);
    }

    private void awaitReady(Members members, int running) throws Exception {
        Await.until(
                "all that run are ready",
                () -> members.all().stream().filter(this::isReady).count() == running);
    }

    private boolean isReady(MemberAddress member) {
        try {
            return operator.status(member).ready();
        } catch (IOException e) {
            return false;
        }
    }

    private MemberAddress leader(Members members) throws Exception {
        return Await.value(
                        "one leads",
                        () -> {
                            for (MemberAddress member : members.all()) {
                                if (leads(member)) {
                                    return List.of(member);
                                }
                            }
                            return List.<MemberAddress>of();
                        },
                        found -> !found.isEmpty())
                .getFirst();
    }

    private boolean leads(MemberAddress member) {
        try {
            return operator.status(member).leads();
        } catch (IOException e) {
            return false;
        }
    }

    private void replace(List<MemberProcess> processes, Members members, int id) throws IOException {
        processes.get(id).close();
        processes.set(id, process(members, id, 1, Joining.AGAIN));
    }

    private MemberProcess process(Members members, int id, int version, Joining joining) throws IOException {
        ServiceConfig service = ServiceConfig.in(folder.resolve("member-" + id))
                .withMaxResponseTime(Await.RESPONSE)
                .withLimits(limits -> limits.withRings(1 << 20, 1 << 20));
        ClusterConfig config =
                ClusterConfig.of(members, id, service).withTermBytes(1 << 18).withJoining(joining);
        return MemberProcess.start(config, () -> new Counting(version));
    }

    private static ClusterConfig checked(ClusterConfig config) {
        return config.withService(config.service().withStateChecks(CHECK_EVERY));
    }

    private static void awaitPresent(Grid grid, int id) {
        grid.await("member " + id + " lets clients in", () -> grid.member(id).isPresent());
    }

    private static List<Long> steps(List<Long> sums) {
        List<Long> steps = new ArrayList<>();
        for (int i = 1; i < sums.size(); i++) {
            steps.add(sums.get(i) - sums.get(i - 1));
        }
        return steps;
    }

    /** Sends one command after the other; a refusal of any of them fails the test. */
    private static final class Load implements AutoCloseable {
        private static final int MORE = 200;

        private final ServiceClient client;
        private final AtomicBoolean isEnough = new AtomicBoolean();
        private final AtomicInteger answered = new AtomicInteger();
        private final CompletableFuture<List<Long>> sums;

        Load(Grid grid) throws IOException {
            client = grid.client().connect();
            sums = CompletableFuture.supplyAsync(this::run);
        }

        private List<Long> run() {
            List<Long> answers = new ArrayList<>();
            while (!isEnough.get()) {
                answers.add(Sum.number(client.call(Sum.bytes(1)).payload()));
                answered.incrementAndGet();
            }
            return answers;
        }

        int answered() {
            return answered.get();
        }

        void awaitMore() throws Exception {
            int enough = answered() + MORE;
            Await.until("commands are answered", () -> sums.isDone() || answered() >= enough);
            assertThat(sums).as("the load goes on").isNotDone();
        }

        List<Long> end() {
            isEnough.set(true);
            return sums.join();
        }

        @Override
        public void close() {
            isEnough.set(true);
            sums.handle((_, _) -> true).join();
            client.close();
        }
    }

    /** Adds up numbers; from version 1 on, each of them twice. Each version writes its state in its own format. */
    private static class Counting implements StateMachine {
        private final int version;
        private long sum;
        private long upgrades;

        Counting(int version) {
            this.version = version;
        }

        @Override
        public void onCommand(Request command, Output output) {
            sum += Sum.number(command.payload()) * (output.version() + 1);
            output.reply(Sum.bytes(sum));
        }

        @Override
        public void onUpgrade(int formerVersion, Output output) {
            upgrades++;
        }

        @Override
        public long stateHash() {
            return sum * 31 + upgrades;
        }

        @Override
        public void save(StateOutput output) {
            output.writeLong(sum);
            if (version > 0) {
                output.writeLong(upgrades);
            }
        }

        @Override
        public void load(StateInput input, int writer) {
            sum = input.readLong();
            upgrades = writer > 0 ? input.readLong() : 0;
        }

        @Override
        public String name() {
            return "counting";
        }

        @Override
        public int version() {
            return version;
        }
    }
}
