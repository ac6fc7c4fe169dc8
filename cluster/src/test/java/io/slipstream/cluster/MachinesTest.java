package io.slipstream.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.cluster.grid.Grid;
import io.slipstream.cluster.member.SkippedEntries;
import io.slipstream.service.ServiceEvents;
import io.slipstream.service.SlowEntry;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** What machines do to members: clocks that leap, disks that are slow or full, machines that are lost. */
class MachinesTest {
    @Test
    void keepsItsLeaderAndItsTimersWhenClocksLeap() throws IOException {
        List<LeapingClock> clocks = List.of(new LeapingClock(), new LeapingClock(), new LeapingClock());
        try (Grid grid = Grid.of(
                        3,
                        Sum::new,
                        config -> config.withService(config.service()
                                .withHost(clocks.get(config.id()).host())));
                ServiceClient client = grid.client().connect()) {
            client.call(Sum.bytes(1));
            int leader = grid.awaitLeader();
            long terms = grid.member(leader).terms();
            clocks.get(leader).ahead(Duration.ofHours(1));
            clocks.get((leader + 1) % 3).ahead(Duration.ofHours(-2));
            clocks.get((leader + 2) % 3).ahead(Duration.ofMinutes(10));
            long fired = timers(client);
            client.call(Sum.bytes(0));
            grid.await("the timer fires", () -> timers(client) > fired);
            for (int i = 0; i < 10; i++) {
                client.call(Sum.bytes(1));
            }
            assertThat(grid.leader()).isEqualTo(leader);
            assertThat(grid.member(leader).terms()).isEqualTo(terms);
            // One that is killed is missed, though clocks went back; and it comes back with a clock behind its past.
            clocks.get((leader + 1) % 3).ahead(Duration.ofHours(-3));
            clocks.get(leader).ahead(Duration.ofHours(-4));
            grid.failOver();
            grid.awaitApplied(leader, client.call(Sum.bytes(1)).sequence());
            try (ServiceClient there = grid.client(leader).connect()) {
                there.call(Sum.bytes(1));
            }
            grid.awaitSameState();
        }
    }

    @Test
    void numbersTheLivesOfAMemberByItsLogWhenItsFolderIsLostAndItsClockIsBehind() throws IOException {
        LeapingClock clock = new LeapingClock();
        try (Grid grid = Grid.of(
                        3,
                        Sum::new,
                        config -> config.id() != 0
                                ? config
                                : config.withService(config.service().withHost(clock.host())));
                ServiceClient client = grid.client().connect()) {
            client.call(Sum.bytes(1));
            try (ServiceClient there = grid.client(0).connect()) {
                there.call(Sum.bytes(1));
            }
            clock.ahead(Duration.ofHours(-1));
            grid.replace(0);
            assertThatThrownBy(() -> grid.member(0).ended().join()).hasMessageContaining("start it again");
            grid.start(0);
            try (ServiceClient there = grid.client(0).connect()) {
                assertThat(Sum.number(there.call(Sum.bytes(1)).payload())).isEqualTo(3);
            }
            grid.awaitSameState();
        }
    }

    private static long timers(ServiceClient client) {
        return Sum.number(client.query(new byte[1]).payload());
    }

    @Test
    void goesOnThoughTheLeadersDiskIsSlow() throws IOException {
        try (Grid grid = Grid.of(3, Sum::new);
                ServiceClient client = grid.client().connect()) {
            client.call(Sum.bytes(1));
            grid.slowDisk(grid.awaitLeader(), Duration.ofMillis(50));
            for (int i = 2; i <= 20; i++) {
                assertThat(Sum.number(client.call(Sum.bytes(1)).payload())).isEqualTo(i);
            }
            grid.heal();
            grid.awaitSameState();
        }
    }

    @Test
    void stopsTheMemberWhoseDiskIsFullAndTakesItBackWhenThereIsRoom() throws Exception {
        try (Grid grid = Grid.of(3, Sum::new);
                ServiceClient client = grid.client().connect()) {
            client.call(Sum.bytes(1));
            int small = (grid.awaitLeader() + 1) % 3;
            grid.stop(small);
            remove(grid.directory(small));
            Files.createDirectories(grid.directory(small));
            Assumptions.assumeTrue(
                    run(
                                    "mount",
                                    "-t",
                                    "tmpfs",
                                    "-o",
                                    "size=24m",
                                    "tmpfs",
                                    grid.directory(small).toString())
                            == 0,
                    "no right to mount a small file system here");
            try {
                grid.replace(small);
                grid.awaitApplied(small, client.call(Sum.bytes(1)).sequence());
                run("dd", "if=/dev/zero", "of=" + grid.directory(small).resolve("fill"), "bs=4k");
                grid.await("the member stops", () -> {
                    for (int i = 0; i < 500; i++) {
                        client.send(Sum.bytes(1));
                    }
                    client.call(Sum.bytes(1));
                    return !grid.isRunning(small);
                });
                long sum = Sum.number(client.call(Sum.bytes(1)).payload());
                Files.delete(grid.directory(small).resolve("fill"));
                grid.start(small);
                grid.awaitApplied(small, client.call(Sum.bytes(1)).sequence());
                assertThat(Sum.number(client.call(Sum.bytes(1)).payload())).isEqualTo(sum + 2);
                grid.awaitSameState();
            } finally {
                grid.stop(small);
                run("umount", "-l", grid.directory(small).toString());
            }
        }
    }

    @Test
    void passesOverAnEntryThatEndsAllMembersOnceAnOperatorSaysSo() throws IOException {
        try (Grid grid = Grid.of(3, Sum::new)) {
            try (ServiceClient client = grid.client().connect()) {
                client.call(Sum.bytes(1));
                client.send(Sum.bytes(-1));
                grid.await("all members have stopped", () -> Stream.of(0, 1, 2).noneMatch(grid::isRunning));
            }
            assertThatThrownBy(() -> grid.member(0).ended().join())
                    .isInstanceOf(CompletionException.class)
                    .hasMessageContaining("slipstream cluster skip " + grid.directory(0) + " ");
            String reason = reason(grid);
            long poisoned = Long.parseLong(reason.replaceAll("(?s).*at log entry (\\d+).*", "$1"));
            for (int id = 0; id < 3; id++) {
                grid.stop(id);
                SkippedEntries.mark(grid.directory(id), poisoned);
                grid.start(id);
            }
            try (ServiceClient client = grid.client().connect()) {
                assertThat(Sum.number(client.call(Sum.bytes(1)).payload())).isEqualTo(2);
            }
            grid.awaitSameState();
        }
    }

    /** The same at all members, which then answer nobody: who is asked for help has to know which entry it is. */
    @Test
    void namesAnEntryThatAMachineDoesNotComeBackFrom() throws Exception {
        BlockingQueue<SlowEntry> told = new LinkedBlockingQueue<>();
        ServiceEvents events = new ServiceEvents() {
            @Override
            public void onSlowEntry(SlowEntry entry) {
                told.add(entry);
            }
        };
        CountDownLatch released = new CountDownLatch(1);
        try (Grid grid = Grid.of(
                        3,
                        () -> new Waiting(released),
                        config -> config.withService(
                                config.service().withEvents(events).withSlowEntryAfter(Duration.ofMillis(300))));
                ServiceClient client = grid.client().connect()) {
            try {
                client.call(Sum.bytes(1));
                client.send(Sum.bytes(Waiting.FOREVER));
                SlowEntry entry = Await.next(told);
                assertThat(entry.text())
                        .contains("a command, log entry " + entry.sequence())
                        .contains("slipstream cluster skip /")
                        .contains(" " + entry.sequence() + "`");
                assertThat(entry.stack()).anyMatch(frame -> frame.getClassName().endsWith("Waiting"));
                assertThat(Await.next(told).sequence()).isEqualTo(entry.sequence());
            } finally {
                released.countDown();
            }
            assertThat(client.call(Sum.bytes(2)).sequence()).isPositive();
        }
    }

    private static final class Waiting implements StateMachine {
        private static final long FOREVER = 77;

        private final CountDownLatch released;
        private long count;

        Waiting(CountDownLatch released) {
            this.released = released;
        }

        @Override
        public void onCommand(Request command, Output output) {
            count++;
            if (Sum.number(command.payload()) == FOREVER) {
                try {
                    released.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }

        @Override
        public long stateHash() {
            return count;
        }

        @Override
        public void save(StateOutput output) {
            output.writeLong(count);
        }

        @Override
        public void load(StateInput input, int version) {
            count = input.readLong();
        }
    }

    private static String reason(Grid grid) {
        try {
            grid.member(0).ended().join();
            return "";
        } catch (CompletionException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            return -1;
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
