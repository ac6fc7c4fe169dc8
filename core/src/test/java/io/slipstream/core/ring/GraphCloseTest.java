package io.slipstream.core.ring;

import io.slipstream.core.thread.WaitStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CyclicBarrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Graphs that their own handlers close, as at a mark that ends a stream. */
@Timeout(60)
class GraphCloseTest {
    private final RingBuffer<long[]> ring = RingBuffer.forOnePublisher(() -> new long[1], 8);
    private final EventGraph<long[]> graph = ring.graph();
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
