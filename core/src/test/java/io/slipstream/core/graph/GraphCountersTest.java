package io.slipstream.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.slipstream.core.counters.Counter;
import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.CounterValue;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.counters.CountersReader;
import io.slipstream.core.handler.EventHandler;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GraphCountersTest {
    private final RingBuffer<long[]> ring = RingBuffer.forManyPublishers(() -> new long[1], 8);
    private final EventGraph<long[]> graph = EventGraph.of(ring);
    private final EventHandler<long[]> handler = (event, sequence, end) -> {};

    @TempDir
    private Path folder;

    @BeforeEach
    void addOneStage() {
        graph.handleEventsWith(handler);
        graph.settings(handler).name("logic");
    }

    @Test
    void showRingAndStages() throws Exception {
        try (Counters counters = Counters.create(folder.resolve("c"), 16)) {
            GraphCounters duty = new GraphCounters(graph, counters, "orders", Duration.ofNanos(1));
            ring.publish(ring.claim());
            assertThat(duty.work()).isEqualTo(1);
            assertThat(read())
                    .containsEntry("capacity", 8L)
                    .containsEntry("depth", 1L)
                    .containsEntry("claimed", 1L)
                    .containsEntry("refused", 0L)
                    .containsEntry("dropped", 0L)
                    .containsEntry("lag of logic", 1L);
            graph.start(WaitStrategy.parking());
            graph.drain(Await.PATIENCE);
            graph.join("audit", (event, sequence, end) -> {});
            duty.onStop();
            assertThat(read())
                    .containsEntry("position of logic", 1L)
                    .containsEntry("lag of logic", 0L)
                    .containsEntry("position of audit", 1L);
        } finally {
            graph.close();
        }
    }

    @Test
    void refuseAtOnceWhatHasNoRoom() throws IOException {
        try (Counters counters = Counters.create(folder.resolve("c"), 6)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> new GraphCounters(graph, counters, "orders", Duration.ofNanos(1)))
                    .withMessageContaining("all 6 places of")
                    .withMessageContaining("create it with more");
            assertThat(read()).as("what it had taken").isEmpty();
        }
    }

    @Test
    void goOnWithoutAStageThatJoinsWhenAllPlacesAreTaken() throws Exception {
        try (Counters counters = Counters.create(folder.resolve("c"), 7)) {
            GraphCounters duty = new GraphCounters(graph, counters, "orders", Duration.ofNanos(1));
            graph.start(WaitStrategy.parking());
            graph.join("audit", (event, sequence, end) -> {});
            ring.publish(ring.claim());
            graph.drain(Await.PATIENCE);
            assertThat(duty.work()).isEqualTo(1);
            assertThat(duty.work()).isEqualTo(1);
            assertThat(read()).containsEntry("position of logic", 1L).doesNotContainKey("position of audit");
        } finally {
            graph.close();
        }
    }

    @Test
    void giveBackThePlacesOfAStageThatHasLeft() throws Exception {
        try (Counters counters = Counters.create(folder.resolve("c"), 9)) {
            GraphCounters duty = new GraphCounters(graph, counters, "orders", Duration.ofNanos(1));
            graph.start(WaitStrategy.parking());
            for (int i = 0; i < 5; i++) {
                String name = "audit-" + i;
                EventHandler<long[]> audit = (event, sequence, end) -> {};
                graph.join(name, audit);
                duty.copy();
                assertThat(read()).hasSize(9).containsKey("lag of " + name);
                graph.leave(audit);
                ring.publish(ring.claim());
                duty.copy();
                assertThat(read())
                        .hasSize(7)
                        .doesNotContainKey("lag of " + name)
                        .doesNotContainKey("position of " + name);
            }
        } finally {
            graph.close();
        }
    }

    @Test
    void showAStageThatFoundNoRoomOnceThereIsSome() throws Exception {
        try (Counters counters = Counters.create(folder.resolve("c"), 8)) {
            Counter other = counters.add(CounterType.COUNT, "other", "other");
            GraphCounters duty = new GraphCounters(graph, counters, "orders", Duration.ofNanos(1));
            EventHandler<long[]> first = (event, sequence, end) -> {};
            graph.start(WaitStrategy.parking());
            graph.join("first", first);
            duty.copy();
            assertThat(read()).hasSize(8).doesNotContainKey("position of first");
            counters.free(other);
            duty.copy();
            assertThat(read()).as("one place is not enough").hasSize(7);
            graph.leave(handler);
            duty.copy();
            assertThat(read()).containsKeys("position of first", "lag of first");
        } finally {
            graph.close();
        }
    }

    @Test
    void doNothingOnceTheCountersAreClosed() throws IOException {
        Counters counters = Counters.create(folder.resolve("c"), 16);
        GraphCounters duty = new GraphCounters(graph, counters, "orders", Duration.ofNanos(1));
        counters.close();
        assertThat(duty.work()).isEqualTo(1);
        duty.onStop();
        assertThat(counters.isOpen()).isFalse();
    }

    private Map<String, Long> read() throws IOException {
        try (CountersReader reader = CountersReader.open(folder.resolve("c"))) {
            return reader.read().stream().collect(Collectors.toMap(CounterValue::label, CounterValue::value));
        }
    }
}
