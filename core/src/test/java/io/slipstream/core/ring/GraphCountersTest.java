package io.slipstream.core.ring;

import io.slipstream.core.counters.CounterValue;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.counters.CountersReader;
import io.slipstream.core.thread.WaitStrategy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Timeout(60)
class GraphCountersTest {
    private final RingBuffer<long[]> ring = RingBuffer.forManyPublishers(() -> new long[1], 8);
    private final EventGraph<long[]> graph = ring.graph();
    private final EventHandler<long[]> handler = (event, sequence, end) -> { };

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
            assertThat(read()).containsEntry("capacity", 8L).containsEntry("depth", 1L).containsEntry("claimed", 1L)
                    .containsEntry("refused", 0L).containsEntry("dropped", 0L).containsEntry("lag of logic", 1L);
            graph.start(WaitStrategy.parking());
            graph.drain(Duration.ofSeconds(30));
            graph.join("audit", (event, sequence, end) -> { });
            duty.onStop();
            assertThat(read()).containsEntry("position of logic", 1L).containsEntry("lag of logic", 0L)
                    .containsEntry("position of audit", 1L);
        } finally {
            graph.close();
        }
    }

    @Test
    void refuseAtOnceWhatHasNoRoom() throws IOException {
        try (Counters counters = Counters.create(folder.resolve("c"), 6)) {
            assertThatIllegalStateException().isThrownBy(() -> new GraphCounters(graph, counters, "orders", Duration.ofNanos(1)))
                    .withMessageContaining("all 6 places of").withMessageContaining("create it with more");
        }
    }

    @Test
    void goOnWithoutAStageThatJoinsWhenAllPlacesAreTaken() throws Exception {
        try (Counters counters = Counters.create(folder.resolve("c"), 7)) {
            GraphCounters duty = new GraphCounters(graph, counters, "orders", Duration.ofNanos(1));
            graph.start(WaitStrategy.parking());
            graph.join("audit", (event, sequence, end) -> { });
            ring.publish(ring.claim());
            graph.drain(Duration.ofSeconds(30));
            assertThat(duty.work()).isEqualTo(1);
            assertThat(duty.work()).isEqualTo(1);
            assertThat(read()).containsEntry("position of logic", 1L).doesNotContainKey("position of audit");
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
