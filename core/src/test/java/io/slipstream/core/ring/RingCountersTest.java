package io.slipstream.core.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.CounterValue;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.counters.CountersReader;
import io.slipstream.core.thread.WaitStrategy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RingCountersTest {
    private static final Duration ALWAYS = Duration.ofNanos(1);

    @TempDir
    private Path folder;

    @Test
    void showARingAndTheLagsOfItsPollers() throws Exception {
        RingBuffer<long[]> ring =
                RingBuffer.forManyPublishers(() -> new long[1], 8, WaitStrategy.yielding(), WhenFull.DROP_NEWEST);
        EventPoller<long[]> fast = ring.newPoller();
        EventPoller<long[]> slow = ring.newPoller();
        try (Counters counters = Counters.create(folder.resolve("c"), 7)) {
            RingCounters duty = new RingCounters(ring, counters, "orders", ALWAYS)
                    .addLag("fast", fast.sequence())
                    .addLag("slow", slow.sequence());
            for (int i = 0; i < 9; i++) {
                ring.publishEvent((event, sequence, value) -> event[0] = 1, "");
            }
            fast.poll((event, sequence, end) -> true, 5);
            assertThat(ring.tryClaim()).isEqualTo(Ring.NO_ROOM);
            assertThat(duty.work()).isEqualTo(1);
            assertThat(read())
                    .isEqualTo(Map.of(
                            "capacity",
                            8L,
                            "depth",
                            8L,
                            "claimed",
                            8L,
                            "refused",
                            1L,
                            "dropped",
                            1L,
                            "lag of fast",
                            3L,
                            "lag of slow",
                            8L));
        }
    }

    @Test
    void showFramesInBytes() throws Exception {
        try (FrameRing ring = new FrameRing(64);
                Counters counters = Counters.create(folder.resolve("c"), 6)) {
            FramePoller poller = ring.newPoller();
            ring.publish(ring.claim(8));
            new RingCounters(ring, counters, "orders", ALWAYS).addLag("reader", poller.sequence());
            assertThat(read())
                    .containsEntry("capacity", 64L)
                    .containsEntry("depth", 16L)
                    .containsEntry("lag of reader", 16L);
        }
    }

    @Test
    void giveBackThePlaceOfAPollerThatHasEnded() throws Exception {
        RingBuffer<long[]> ring = RingBuffer.forOnePublisher(() -> new long[1], 8);
        try (Counters counters = Counters.create(folder.resolve("c"), 6)) {
            RingCounters duty = new RingCounters(ring, counters, "orders", ALWAYS);
            for (String name : List.of("first", "second")) {
                try (EventPoller<long[]> poller = ring.newPoller()) {
                    duty.addLag(name, poller.sequence());
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> duty.addLag(name, poller.sequence()))
                            .withMessageContaining("lag of " + name);
                    duty.copy();
                    assertThat(read()).hasSize(6).containsKey("lag of " + name);
                }
                assertThat(duty.removeLag(name)).isTrue();
                assertThat(duty.removeLag(name)).isFalse();
                duty.copy();
                assertThat(read()).hasSize(5);
            }
        }
    }

    @Test
    void takeNoPlaceWhereThereAreTooFew() throws IOException {
        RingBuffer<long[]> ring = RingBuffer.forOnePublisher(() -> new long[1], 8);
        try (Counters counters = Counters.create(folder.resolve("c"), 5)) {
            counters.add(CounterType.COUNT, "other", "other");
            assertThatIllegalStateException()
                    .isThrownBy(() -> new RingCounters(ring, counters, "orders", ALWAYS))
                    .withMessageContaining("all 5 places");
            assertThat(read()).containsOnlyKeys("other");
        }
    }

    private Map<String, Long> read() throws IOException {
        try (CountersReader reader = CountersReader.open(folder.resolve("c"))) {
            return reader.read().stream().collect(Collectors.toMap(CounterValue::label, CounterValue::value));
        }
    }
}
