package io.slipstream.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.handler.EventHandler;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Graphs that their own handlers close, as at a mark that ends a stream. */
class GraphCloseTest {
    private final RingBuffer<long[]> ring = RingBuffer.forOnePublisher(() -> new long[1], 8);
    private final EventGraph<long[]> graph = EventGraph.of(ring);
    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

    @Test
    void mayBeClosedByHandlersOfSeveralThreadsAtOnce() throws Exception {
        CyclicBarrier all = new CyclicBarrier(3);
        for (int i = 0; i < 3; i++) {
            graph.handleEventsWith((event, sequence, end) -> {
                all.await();
                graph.close();
            });
        }
        graph.start(WaitStrategy.parking());
        ring.publish(ring.claim());
        graph.await();
        graph.close();
        assertThatThrownBy(ring::claim).hasMessageContaining("the graph of this ring was closed");
    }

    @Test
    void hasNotEndedBeforeTheHandlerThatClosesItHasReturned() throws Exception {
        Thread waits = new Thread(() -> {
            try {
                graph.await();
                calls.add("await");
            } catch (InterruptedException e) {
                calls.add("interrupted");
            }
        });
        graph.handleEventsWith(new EventHandler<>() {
            @Override
            public void onEvent(long[] event, long sequence, boolean endOfBatch) {
                graph.close();
                waits.start();
                while (waits.getState() != Thread.State.WAITING && waits.getState() != Thread.State.TERMINATED) {
                    Thread.yield();
                }
                calls.add("event " + sequence);
            }

            @Override
            public void onShutdown() {
                calls.add("shutdown");
            }
        });
        graph.start(WaitStrategy.parking());
        ring.publish(ring.claim());
        graph.await();
        waits.join();
        assertThat(calls).containsExactly("event 0", "shutdown", "await");
    }

    @Test
    void doesNotWaitForEverForAHandlerThatDoesNotReturn() throws Exception {
        CountDownLatch mayReturn = new CountDownLatch(1);
        CountDownLatch isIn = new CountDownLatch(1);
        EventHandler<long[]> stuck = (event, sequence, end) -> {
            isIn.countDown();
            mayReturn.await();
        };
        graph.handleEventsWith(stuck, (event, sequence, end) -> {});
        graph.settings(stuck).name("stuck");
        graph.start(WaitStrategy.parking());
        ring.publish(ring.claim());
        isIn.await();
        assertThatThrownBy(() -> graph.await(Duration.ofMillis(1)))
                .isInstanceOf(TimeoutException.class)
                .hasMessage("the graph has not ended within PT0.001S: stages stuck, stage-2 still run; close() ends "
                        + "it");
        String told = Await.value(
                "the other stage ends", () -> timeout(Duration.ofMillis(20)), message -> !message.contains("stage-2"));
        assertThat(told)
                .isEqualTo("the graph has not ended within PT0.02S: stage stuck still runs, though it was told to end "
                        + "after its batch");
        assertThatThrownBy(ring::claim).hasMessage("the graph of this ring was closed");
        assertThatThrownBy(() -> graph.await(Duration.ZERO)).isInstanceOf(TimeoutException.class);
        mayReturn.countDown();
        graph.await(Await.PATIENCE);
        graph.close(Await.PATIENCE);
        graph.close();
    }

    private String timeout(Duration limit) {
        return assertThatThrownBy(() -> graph.close(limit))
                .isInstanceOf(TimeoutException.class)
                .actual()
                .getMessage();
    }

    @Test
    void refusesToLetAHandlerWaitForItself() throws Exception {
        graph.handleEventsWith((event, sequence, end) -> {
            tryTo(graph::await);
            tryTo(() -> graph.await(Duration.ofHours(1)));
            tryTo(() -> graph.drain(Duration.ofHours(1)));
            graph.close(Duration.ofHours(1));
        });
        graph.start(WaitStrategy.parking());
        ring.publish(ring.claim());
        graph.await();
        assertThat(calls)
                .hasSize(3)
                .allMatch(call -> call.endsWith("() was called by a handler of this graph, which it would wait for; "
                        + "call it on another thread"));
        assertThatThrownBy(() -> graph.drain(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("limit");
    }

    private interface Wait {
        void run() throws Exception;
    }

    private void tryTo(Wait wait) throws Exception {
        try {
            wait.run();
        } catch (IllegalStateException e) {
            calls.add(String.valueOf(e.getMessage()));
        }
    }

    @Test
    void takesNoFurtherBatchAfterItsHandlerHasClosedIt() throws Exception {
        EventHandler<long[]> handler = (event, sequence, end) -> {
            calls.add("event " + sequence);
            graph.close();
        };
        graph.handleEventsWith(handler);
        graph.settings(handler).maxBatch(1);
        ring.publish(ring.claim());
        ring.publish(ring.claim());
        graph.start(WaitStrategy.parking());
        graph.await();
        assertThat(calls).containsExactly("event 0");
    }
}
