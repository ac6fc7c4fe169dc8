package io.slipstream.architecture.interrupts;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.counters.CounterType;
import io.slipstream.core.counters.Counters;
import io.slipstream.core.counters.CountersReader;
import io.slipstream.core.counters.FlightCounters;
import io.slipstream.core.executor.LockFreeExecutor;
import io.slipstream.core.graph.EventGraph;
import io.slipstream.core.graph.HandlerSettings;
import io.slipstream.core.handler.EventHandler;
import io.slipstream.core.memory.Region;
import io.slipstream.core.queue.BoundedQueue;
import io.slipstream.core.queue.GrowingManyToOneQueue;
import io.slipstream.core.queue.ManyToManyQueue;
import io.slipstream.core.queue.ManyToOneQueue;
import io.slipstream.core.queue.OneToManyQueue;
import io.slipstream.core.queue.OneToOneQueue;
import io.slipstream.core.queue.WaitingQueue;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.text.SettingsText;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Await;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** What a call of {@code core} needs. */
final class CoreProbes {
    private CoreProbes() {}

    static void addTo(InterruptProbes probes) {
        probes.made(Counters.class, values -> Counters.create(values.newPath(), 1 << 10));
        probes.made(RingBuffer.class, values -> RingBuffer.forManyPublishers(() -> new long[1], 1 << 10));
        probes.made(FrameRing.class, values -> FrameRing.forManyPublishers(1 << 12, WaitStrategy.parking()));
        probes.made(
                LockFreeExecutor.class,
                values -> LockFreeExecutor.builder().workers(1).build());
        probes.made(GrowingManyToOneQueue.class, values -> new GrowingManyToOneQueue<>(2, 4));
        probes.made(BoundedQueue.class, values -> new ManyToManyQueue<>(4));
        probes.made(WaitingQueue.class, values -> new ManyToManyQueue<>(4).waiting(WaitStrategy.parking()));
        // It says how long to go on.
        for (Class<?> queue : List.of(
                BoundedQueue.class,
                GrowingManyToOneQueue.class,
                ManyToManyQueue.class,
                ManyToOneQueue.class,
                OneToManyQueue.class,
                OneToOneQueue.class)) {
            probes.given(queue, BooleanSupplier.class, values -> () -> false);
        }
        probes.made(HandlerSettings.class, values -> {
            EventHandler<long[]> handler = (event, sequence, end) -> {};
            EventGraph<long[]> graph = EventGraph.of(RingBuffer.forOnePublisher(() -> new long[1], 16));
            graph.handleEventsWith(handler);
            return graph.settings(handler);
        });
        probes.made(Region.class, values -> Region.create(values.newPath(), 4096));
        probes.works(Region.class, region -> {
            assertThat(region.segment().get(ValueLayout.JAVA_BYTE, region.byteSize() - 1))
                    .isZero();
        });
        probes.works(Counters.class, counters -> counters.add(CounterType.values()[0], "label", "of a test"));
        probes.works(LockFreeExecutor.class, executor -> Await.done(CompletableFuture.runAsync(() -> {}, executor)));
        probes.given(Region.class, Path.class, JdkProbes::aFile);
        probes.given(Region.class, "create", Path.class, Values::newPath);
        probes.given(
                FlightCounters.class,
                Path.class,
                values -> values.of(Counters.class).file());
        probes.given(Counters.class, "create", Path.class, values -> {
            try (Counters left = values.of(Counters.class)) {
                return left.file();
            }
        });
        probes.given(SettingsText.class, Path.class, JdkProbes::aFile);
        probes.given(
                CountersReader.class,
                Path.class,
                values -> values.of(Counters.class).file());
    }
}
