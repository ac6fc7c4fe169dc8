package io.slipstream.ipc;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kills processes by SIGKILL at every named point of what they do, and checks that nobody else is held up, and that
 * every message is there whole, once and in order. {@code -Dslipstream.ipc.kills=20000} kills so many at random points
 * instead of a few hundred.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class KillTest {
    private static final int MOST = 300;
    private static final int KILLS = Integer.getInteger("slipstream.ipc.kills", 100);
    private static final String[] PUBLISHER_POINTS = {
        "join gate",
        "join locked",
        "join filled",
        "join taken",
        "announced",
        "cleared",
        "claim before",
        "claim stamp",
        "claim tail",
        "claimed",
        "written",
        "publish before",
        "publish header",
        "publish tail",
        "publish after",
        "bury",
        "leave freed",
        "leave gate"
    };
    private static final String[] SUBSCRIBER_POINTS = {
        "join gate",
        "join locked",
        "join filled",
        "join taken",
        "join settled",
        "skipped",
        "pass before",
        "pass after",
        "bury",
        "leave freed",
        "leave gate"
    };

    @TempDir
    Path folder;

    private IpcChannel create(boolean many) throws IOException {
        return IpcChannel.create(folder.resolve("a.ipc"), new ChannelSettings(4096, many, 6, true));
    }

    /**
     * A stream of numbers of one publisher that may end anywhere, and then that of its successor, which starts at a
     * number of its own.
     */
    private static List<Long> streams(List<Long> seen, long firstOfSuccessor) {
        List<Long> successor =
                seen.stream().filter(number -> number >= firstOfSuccessor).toList();
        List<Long> killed =
                seen.stream().filter(number -> number < firstOfSuccessor).toList();
        assertThat(killed).isEqualTo(LongStream.range(0, killed.size()).boxed().toList());
        return successor;
    }

    private void killPublisher(IpcChannel channel, IpcSubscriber subscriber, String point, int hit, long count)
            throws Exception {
        Process killed = CPeer.start(
                Map.of("DIE_AT", point, "DIE_HIT", "" + hit),
                "publish",
                channel.file().toString(),
                "killed",
                "0",
                "" + count,
                "" + MOST);
        List<Long> seen = new ArrayList<>();
        while (killed.isAlive()) {
            seen.addAll(Channels.drain(subscriber, MOST));
        }
        try (IpcPublisher successor = channel.newPublisher("successor")) {
            for (long number = count; number < count + 40; number++) {
                while (!Channels.tryPublish(successor, number, MOST)) {
                    seen.addAll(Channels.drain(subscriber, MOST));
                }
            }
            while (streams(seen, count).size() < 40) {
                seen.addAll(Channels.drain(subscriber, MOST));
            }
        }
        assertThat(streams(seen, count))
                .isEqualTo(LongStream.range(count, count + 40).boxed().toList());
        if (killed.exitValue() == 0) {
            assertThat(seen).hasSize((int) count + 40);
        }
        channel.buryDead();
        assertThat(channel.parties()).extracting(Party::name).containsExactly("survivor");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPublisherKilledAnywhereLeavesNothingThatHoldsOthersUp(boolean many) throws Exception {
        CPeer.program();
        try (IpcChannel channel = create(many);
                IpcSubscriber subscriber = channel.newSubscriber("survivor", Start.NEWEST)) {
            for (String point : PUBLISHER_POINTS) {
                killPublisher(channel, subscriber, point, 1, 20);
                killPublisher(channel, subscriber, point, 17, 60);
            }
        }
    }

    private void killSubscriber(
            IpcChannel channel, IpcPublisher publisher, IpcSubscriber survivor, String point, int hit)
            throws Exception {
        Process reader = CPeer.start(
                Map.of("DIE_AT", point, "DIE_HIT", "" + hit),
                "subscribe",
                channel.file().toString(),
                "killed",
                "2",
                "30",
                "" + MOST,
                "-1");
        long number = 0;
        // More than the ring holds: whoever is dead by then must not be waited for.
        for (; number < 60 || reader.isAlive(); number++) {
            while (!Channels.tryPublish(publisher, number, MOST)) {
                Channels.drain(survivor, MOST);
            }
        }
        Channels.drain(survivor, MOST);
        channel.buryDead();
        assertThat(channel.parties()).extracting(Party::name).containsExactlyInAnyOrder("survivor", "publisher");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSubscriberKilledAnywhereIsNotWaitedFor(boolean many) throws Exception {
        CPeer.program();
        for (String point : SUBSCRIBER_POINTS) {
            for (int hit : new int[] {1, 5}) {
                Files.deleteIfExists(folder.resolve("a.ipc"));
                try (IpcChannel channel = create(many);
                        IpcPublisher publisher = channel.newPublisher("publisher");
                        IpcSubscriber survivor = channel.newSubscriber("survivor", Start.NEWEST)) {
                    killSubscriber(channel, publisher, survivor, point, hit);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "repair before,claimed",
        "repair after,written",
        "bury,written",
        "repair before,claim stamp",
        "bury,claim stamp"
    })
    void aRepairThatIsKilledIsRepeatedByTheNext(String point, String hole) throws Exception {
        CPeer.program();
        try (IpcChannel channel = create(true);
                IpcSubscriber subscriber = channel.newSubscriber("survivor", Start.NEWEST)) {
            for (int round = 0; round < 5; round++) {
                Process dead = CPeer.start(
                        Map.of("DIE_AT", hole, "DIE_HIT", "3"),
                        "publish",
                        channel.file().toString(),
                        "hole",
                        "0",
                        "100",
                        "" + MOST);
                assertThat(Await.exitCode(dead)).isEqualTo(137);
                assertThat(Channels.drain(subscriber, MOST)).containsExactly(0L, 1L);
                Process repairer = CPeer.start(
                        Map.of("DIE_AT", point), "publish", channel.file().toString(), "repairer", "0", "5", "8");
                assertThat(Await.exitCode(repairer)).isEqualTo(137);
                try (IpcPublisher next = channel.newPublisher("next")) {
                    Channels.publish(next, 77, MOST);
                }
                assertThat(Channels.drain(subscriber, MOST)).containsExactly(77L);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void killsAtRandomPointsLoseNothing(boolean many) throws Exception {
        CPeer.program();
        Random random = new Random(42);
        try (IpcChannel channel = create(many);
                IpcSubscriber subscriber = channel.newSubscriber("survivor", Start.NEWEST)) {
            for (int kill = 0; kill < KILLS; kill++) {
                killPublisher(
                        channel,
                        subscriber,
                        PUBLISHER_POINTS[random.nextInt(PUBLISHER_POINTS.length)],
                        1 + random.nextInt(50),
                        50);
            }
        }
    }

    @Test
    void aHoleIsPassedByWhoeverWaitsAtItWithoutANewPublisher() throws Exception {
        CPeer.program();
        try (IpcChannel channel = create(true);
                IpcPublisher living = channel.newPublisher("living");
                IpcSubscriber subscriber = channel.newSubscriber("survivor", Start.NEWEST)) {
            Process dead = CPeer.start(
                    Map.of("DIE_AT", "written"), "publish", channel.file().toString(), "hole", "0", "1", "200");
            assertThat(Await.exitCode(dead)).isEqualTo(137);
            Channels.publish(living, 5, MOST);
            List<Long> seen = new ArrayList<>();
            while (seen.isEmpty()) {
                seen.addAll(Channels.drain(subscriber, MOST));
            }
            assertThat(seen).containsExactly(5L);
        }
    }
}
