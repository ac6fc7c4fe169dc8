package io.slipstream.ipc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kills and stops JVMs at moments of chance. {@code -Dslipstream.ipc.jvm.kills=1000} kills so many. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class JavaKillTest {
    private static final int MOST = 300;
    private static final int KILLS = Integer.getInteger("slipstream.ipc.jvm.kills", 2);

    @TempDir
    Path folder;

    private IpcChannel create(boolean many) throws IOException {
        return IpcChannel.create(folder.resolve("a.ipc"), new ChannelSettings(8192, many, 6, false));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aKilledPublisherLeavesAnExactPrefix(boolean many) throws Exception {
        Random random = new Random(1);
        try (IpcChannel channel = create(many);
                IpcSubscriber subscriber = channel.newSubscriber("s", Start.NEWEST)) {
            for (int kill = 0; kill < KILLS; kill++) {
                Process child = PublishingProcess.start("publish", channel.file());
                List<Long> seen = new ArrayList<>();
                int enough = 1 + random.nextInt(20_000);
                while (seen.size() < enough) {
                    seen.addAll(Channels.drain(subscriber, MOST));
                }
                child.destroyForcibly();
                while (child.isAlive()) {
                    seen.addAll(Channels.drain(subscriber, MOST));
                }
                seen.addAll(Channels.drain(subscriber, MOST));
                try (IpcPublisher next = channel.newPublisher("next")) {
                    next.publish(MemorySegment.ofArray(new byte[8]));
                }
                // What lay behind a hole comes with the repair.
                List<Long> rest = new ArrayList<>();
                while (rest.isEmpty() || rest.getLast() != 0) {
                    subscriber.poll((memory, offset, _, _) -> rest.add(memory.get(Channels.LONG, offset + 8)));
                }
                assertThat(rest).hasSize(1);
                assertThat(seen)
                        .isEqualTo(LongStream.range(0, seen.size()).boxed().toList());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aKilledSubscriberIsNotWaitedForAndAStoppedOneIs(boolean many) throws Exception {
        try (IpcChannel channel = create(many);
                IpcPublisher publisher = channel.newPublisher("p")) {
            Process child = PublishingProcess.start("subscribe", channel.file());
            CPeer.awaitAttached(child);
            new ProcessBuilder("kill", "-STOP", "" + child.pid()).start().waitFor();
            long number = 0;
            for (int refusals = 0; refusals < 5_000; ) {
                if (Channels.tryPublish(publisher, number, MOST)) {
                    number++;
                } else {
                    refusals++;
                }
            }
            assertThat(channel.parties())
                    .filteredOn(party -> party.kind() == PartyKind.SUBSCRIBER)
                    .singleElement()
                    .matches(Party::alive)
                    .matches(party -> party.pid() == child.pid());
            child.destroyForcibly().waitFor();
            for (int i = 0; i < 200; i++) {
                Channels.publish(publisher, number + i, MOST);
            }
            assertThat(channel.parties()).extracting(Party::kind).containsExactly(PartyKind.PUBLISHER);
        }
    }

    @Test
    void whoLooksLeavesTheDeadToBeSeen() throws Exception {
        ChannelSettings settings = ChannelSettings.manyPublishers(1 << 16);
        try (IpcChannel channel = IpcChannel.create(folder.resolve("dead.ipc"), settings)) {
            Process child = PublishingProcess.start("subscribe", channel.file());
            CPeer.awaitAttached(child);
            child.destroyForcibly().waitFor();
            try (IpcObserver _ = channel.newObserver("looks", Start.NEWEST);
                    IpcObserver _ = channel.newObserver("waits", Start.NEWEST, Duration.ofSeconds(1))) {
                assertThat(channel.parties())
                        .extracting(Party::name, Party::alive)
                        .containsExactly(tuple("child", false), tuple("looks", true), tuple("waits", true));
            }
            try (IpcSubscriber _ = channel.newSubscriber("takes part", Start.NEWEST)) {
                assertThat(channel.parties()).extracting(Party::name).containsExactly("takes part");
            }
        }
    }
}
