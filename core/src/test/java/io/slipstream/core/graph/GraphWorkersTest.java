package io.slipstream.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.handler.Action;
import io.slipstream.core.handler.EventHandler;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Graphs on threads of the caller's choice. */
class GraphWorkersTest {
    private static final Duration LONG = Await.PATIENCE;
    private static final int EVENTS = 500;

    private final RingBuffer<long[]> ring = RingBuffer.forManyPublishers(() -> new long[1], 8);
    private final EventGraph<long[]> graph = EventGraph.of(ring);
    private final Set<String> threads = ConcurrentHashMap.newKeySet();

    static Stream<WaitStrategy> strategies() {
        return Stream.of(
                WaitStrategy.busySpin(),
                WaitStrategy.yielding(),
                WaitStrategy.backoff(),
                WaitStrategy.parking(),
                WaitStrategy.blocking(Duration.ofHours(1)));
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void runsItsStagesOnVirtualThreads(WaitStrategy strategy) throws Exception {
        long[] sums = new long[2];
        graph.handleEventsWith((event, sequence, end) -> {
                    note();
                    sums[0] += event[0];
                })
                .then((event, sequence, end) -> {
                    note();
                    sums[1] += event[0];
                });
        graph.start(
                strategy,
                2,
                (name, worker) -> worker.threadFactory(Thread.ofVirtual().factory()));
        for (int i = 0; i < EVENTS; i++) {
            ring.publishEvent((event, sequence, value) -> event[0] = value, i);
        }
        graph.drain(LONG);
        graph.close();
        long all = (long) EVENTS * (EVENTS - 1) / 2;
        assertThat(sums).containsExactly(all, all);
        assertThat(threads).containsExactlyInAnyOrder("stage-1 virtual", "stage-2 virtual");
    }

    /**
     * With as many stages that try again and again as there are carriers, nothing else would ever run if they kept
     * them.
     */
    @Test
    void aStageThatTriesAgainLetsOtherVirtualThreadsRun() throws Exception {
        int stages = Runtime.getRuntime().availableProcessors();
        AtomicBoolean ready = new AtomicBoolean();
        CountDownLatch tried = new CountDownLatch(stages);
        for (int i = 0; i < stages; i++) {
            AtomicBoolean first = new AtomicBoolean(true);
            graph.handleControlledWith((event, sequence, end) -> {
                if (first.getAndSet(false)) {
                    tried.countDown();
                }
                return ready.get() ? Action.CONTINUE : Action.RETRY;
            });
        }
        graph.start(
                WaitStrategy.parking(),
                stages,
                (name, worker) -> worker.threadFactory(Thread.ofVirtual().factory()));
        try {
            ring.publish(ring.claim());
            tried.await();
            Thread other = Thread.ofVirtual().start(() -> ready.set(true));
            assertThat(other.join(LONG)).isTrue();
            graph.drain(LONG);
        } finally {
            ready.set(true);
            graph.close();
        }
    }

    @Test
    void tellsTheNamesOfItsWorkersAlsoOfThoseThatJoin() throws Exception {
        List<String> names = new ArrayList<>();
        EventHandler<long[]> a = (event, sequence, end) -> note();
        EventHandler<long[]> b = (event, sequence, end) -> note();
        EventHandler<long[]> c = (event, sequence, end) -> note();
        graph.handleEventsWith(a, b, c);
        graph.settings(a).name("journal");
        graph.start(WaitStrategy.parking(), 2, (name, worker) -> {
            names.add(name);
            worker.threadFactory(Thread.ofPlatform().daemon().factory());
        });
        graph.join("late", (event, sequence, end) -> note());
        ring.publish(ring.claim());
        graph.drain(LONG);
        graph.close();
        assertThat(names).containsExactly("journal", "stage-2+stage-3", "late");
        assertThat(threads).containsExactlyInAnyOrder("journal daemon", "stage-2+stage-3 daemon", "late daemon");
    }

    @Test
    void setsEverythingElseOfItsWorkersItself() {
        graph.handleEventsWith((event, sequence, end) -> {
            throw new IllegalStateException("no");
        });
        graph.start(WaitStrategy.parking(), 1, (name, worker) -> worker.onFailure(thrown -> {}));
        ring.publish(ring.claim());
        assertThatThrownBy(graph::await)
                .isInstanceOf(StageStoppedException.class)
                .hasMessageContaining("stage stage-1 failed on event 0")
                .cause()
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage("no");
    }

    @Test
    void isAsBeforeWhenAWorkerCannotBeMade() throws Exception {
        graph.handleEventsWith((event, sequence, end) -> note());
        assertThatThrownBy(() -> graph.start(WaitStrategy.parking(), 1, (name, worker) -> {
                    throw new IllegalStateException("no CPU for " + name);
                }))
                .hasMessage("no CPU for stage-1");
        graph.start(WaitStrategy.parking());
        ring.publish(ring.claim());
        graph.drain(LONG);
        graph.close();
        assertThat(threads).hasSize(1);
    }

    private void note() {
        Thread thread = Thread.currentThread();
        threads.add(thread.getName() + (thread.isVirtual() ? " virtual" : thread.isDaemon() ? " daemon" : ""));
    }
}
