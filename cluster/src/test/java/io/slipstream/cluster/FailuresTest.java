package io.slipstream.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.cluster.config.ClusterConfig;
import io.slipstream.cluster.grid.Grid;
import io.slipstream.cluster.member.ClusterMember;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.logic.WrongLogException;
import io.slipstream.service.machine.CommandSchema;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.SchemaFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FailuresTest {
    @Test
    void stopsTheMemberWhoseStateTheMajorityDoesNotHave() throws IOException {
        List<Sum> machines = new CopyOnWriteArrayList<>();
        try (Grid grid = Grid.of(
                        3,
                        () -> {
                            Sum machine = new Sum();
                            machines.add(machine);
                            return machine;
                        },
                        config -> config.withService(config.service().withStateChecks(5)));
                ServiceClient client = grid.client().connect()) {
            client.call(Sum.bytes(1));
            machines.get(grid.leader()).spoil();
            int wrong = grid.leader();
            long sum = 1;
            for (int i = 0; i < 40; i++) {
                sum = Sum.number(client.call(Sum.bytes(1)).payload());
            }
            ClusterMember stopped = grid.member(wrong);
            assertThatThrownBy(() -> stopped.ended().join()).hasMessageContaining("2 members have");
            assertThat(Sum.number(client.call(Sum.bytes(1)).payload()))
                    .isEqualTo(sum + 1)
                    .isEqualTo(42);
            assertThat(grid.leader()).isNotEqualTo(wrong);
            grid.start(wrong);
            grid.awaitSameState();
        }
    }

    @Test
    void stopsAllMembersWhenEachHasAnotherState() throws IOException {
        try (Grid grid = Grid.of(
                        3,
                        Clock::new,
                        config -> config.withService(config.service().withStateChecks(5)));
                ServiceClient client = grid.client().connect()) {
            grid.await("all members stop", () -> {
                boolean isEnd = Stream.of(0, 1, 2).noneMatch(grid::isRunning);
                if (!isEnd) {
                    client.send(Sum.bytes(1));
                }
                return isEnd;
            });
            for (int id = 0; id < 3; id++) {
                ClusterMember member = grid.member(id);
                assertThatThrownBy(() -> member.ended().join()).hasMessageContaining("no majority has the same state");
            }
        }
    }

    @Test
    void takesNoSnapshotsWhileItIsInDoubtWhichMemberIsRight() throws IOException {
        try (Grid grid = Grid.of(
                3, Clock::new, config -> config.withService(config.service().withStateChecks(5)))) {
            grid.stop((grid.awaitLeader() + 1) % 3);
            try (ServiceClient client = grid.client().connect()) {
                grid.await("the leader notices that the other one differs", () -> {
                    client.call(Sum.bytes(1));
                    return grid.member(grid.awaitLeader()).isInDoubt();
                });
                assertThat(grid.member(grid.awaitLeader()).takeSnapshot()).isFalse();
                assertThat(Sum.number(client.call(Sum.bytes(1)).payload())).isPositive();
            }
        }
    }

    @Test
    void refusesAMachineWhoseLogCouldNotBeTrimmedUnlessThatIsWanted() throws IOException {
        assertThatThrownBy(() -> Grid.of(1, Forgetful::new))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not save its state")
                .hasMessageContaining("--no-snapshots");
        try (Grid grid = Grid.of(1, Forgetful::new, config -> config.withSnapshotLogBytes(0));
                ServiceClient client = grid.client().connect()) {
            client.call(Sum.bytes(1));
        }
    }

    /** Looks at the clock, which is another one at each member. */
    private static final class Clock extends Sum {
        private long nanos;

        @Override
        public void onCommand(Request command, Output output) {
            nanos += System.nanoTime();
            super.onCommand(command, output);
        }

        @Override
        public long stateHash() {
            return nanos;
        }
    }

    private static final class Forgetful implements StateMachine {
        @Override
        public void onCommand(Request command, Output output) {
            output.reply(new byte[0]);
        }

        @Override
        public long stateHash() {
            return 0;
        }
    }

    @Test
    void stopsMembersWhoseMachineThrowsAnErrorWithTheReason() throws IOException {
        try (Grid grid = Grid.of(1, Sum::new);
                ServiceClient client = grid.client().connect()) {
            client.call(Sum.bytes(1));
            ClusterMember member = grid.member(0);
            client.send(Sum.bytes(-1));
            assertThatThrownBy(() -> member.ended().join())
                    .rootCause()
                    .hasMessageContaining("there is nothing below 0");
        }
    }

    @Test
    void trimsTheLogBehindSnapshotsThatItTakesByItself() throws IOException {
        try (Grid grid = Grid.of(1, Sum::new, config -> config.withSnapshotLogBytes(500_000));
                ServiceClient client = grid.client().connect()) {
            Path archive = grid.directory(0).resolve("archive");
            grid.await("the beginning of the log is gone", () -> {
                for (int i = 0; i < 500; i++) {
                    client.send(Sum.bytes(1));
                }
                client.call(Sum.bytes(1));
                return !Files.exists(archive.resolve("0-0.rec")) && hasSegments(archive);
            });
            grid.kill(0);
            grid.start(0);
            long before = Sum.number(client.call(Sum.bytes(1)).payload());
            assertThat(before % 501).isEqualTo(1);
        }
    }

    @Test
    void leavesAMemberOutThatIsTheSecondOfItsNumberOnTheSameFolder() throws IOException {
        try (Grid grid = Grid.of(1, Sum::new)) {
            ClusterConfig same = ClusterConfig.of(grid.members(), 0, ServiceConfig.in(grid.directory(0)));
            assertThatThrownBy(() -> ClusterMember.start(same, new Sum()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("another member uses the folder");
        }
    }

    @Test
    void goesOnWithTwoOfThreeWhateverPartOfTheThirdIsCut() throws IOException {
        try (Grid grid = Grid.of(3, Sum::new);
                ServiceClient client = grid.client().connect()) {
            long sum = 0;
            client.call(Sum.bytes(0));
            grid.mute(grid.awaitLeader());
            sum = callTenTimes(client, sum);
            grid.heal();
            grid.awaitSameState();
            grid.deafen(grid.awaitLeader());
            sum = callTenTimes(client, sum);
            grid.heal();
            grid.pause(grid.awaitLeader());
            callTenTimes(client, sum);
            grid.heal();
            grid.awaitSameState();
        }
    }

    /** Longer than the ten seconds after which Aeron would end it. */
    @Test
    void aMemberGoesOnThoughItsMachineStoodStillForTwelveSeconds() throws IOException {
        try (Grid grid = Grid.of(3, Sum::new);
                ServiceClient client = grid.client().connect()) {
            int follower = (grid.awaitLeader() + 1) % 3;
            grid.pause(follower);
            long begin = System.nanoTime();
            grid.await("twelve seconds pass", () -> System.nanoTime() - begin > 12_000_000_000L);
            grid.heal();
            grid.awaitApplied(follower, client.call(Sum.bytes(1)).sequence());
            assertThat(grid.isRunning(follower)).isTrue();
        }
    }

    @Test
    void aMemberIsNotStartedWithAMachineThatWouldMisreadItsLog() throws IOException {
        String schema = "record Pay id 7 version 1 {\n  1 long account\n}\n";
        AtomicReference<String> present = new AtomicReference<>(schema);
        try (Grid grid = Grid.of(1, () -> new Described(present.get()), config -> config.withSnapshotLogBytes(0))) {
            assertThat(SchemaFile.read(grid.directory(0))).isEqualTo(schema);
            grid.stop(0);
            present.set(schema.replace("long", "double"));
            assertThatThrownBy(() -> grid.start(0))
                    .isInstanceOf(WrongLogException.class)
                    .hasMessageContaining("Pay.account: was long and is double");
            present.set(schema);
            grid.start(0);
        }
    }

    private static long callTenTimes(ServiceClient client, long before) {
        long sum = before;
        for (int i = 0; i < 10; i++) {
            sum++;
            assertThat(Sum.number(client.call(Sum.bytes(1)).payload())).isEqualTo(sum);
        }
        return sum;
    }

    private static boolean hasSegments(Path archive) {
        try (Stream<Path> files = Files.list(archive)) {
            return files.anyMatch(file -> file.getFileName().toString().startsWith("0-"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** A machine that says what its commands look like. */
    private record Described(String commandSchema) implements StateMachine, CommandSchema {
        @Override
        public void onCommand(Request command, Output output) {
            output.reply(command.payload());
        }

        @Override
        public long stateHash() {
            return 0;
        }
    }
}
