package io.slipstream.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.handler.EventHandler;
import io.slipstream.core.handler.StageListener;
import io.slipstream.core.ring.EventPoller;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.ring.RingFailedException;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Graphs that cannot start, stages that cannot leave, handlers that get nowhere: nobody waits for ever, and nothing is
 * half done.
 */
class GraphStartTest {
    private static final Duration LONG = Await.PATIENCE;

    private final RingBuffer<long[]> ring = RingBuffer.forOnePublisher(() -> new long[1], 8);
    private final EventGraph<long[]> graph = EventGraph.of(ring);

    @AfterEach
    void close() {
        graph.close();
    }

    @Test
    void aStartIsUndoneWhenAThreadCannotBeStarted() throws Exception {
        graph.handleEventsWith(nothing()).then(nothing());
        AtomicInteger threads = new AtomicInteger();
        List<Thread> made = new ArrayList<>();
        assertThatThrownBy(() -> graph.start(
                        WaitStrategy.parking(),
                        2,
                        (name, worker) -> worker.threadFactory(work -> {
                            boolean fails = threads.incrementAndGet() == 2;
                            Thread thread = new Thread(work) {
                                @Override
                                public void start() {
                                    if (fails) {
                                        throw new OutOfMemoryError("unable to create native thread");
                                    }
                                    super.start();
                                }
                            };
                            made.add(thread);
                            return thread;
                        })))
                .isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(() -> graph.await(LONG))
                .isInstanceOf(StageStoppedException.class)
                .hasMessageContaining("unable to create");
        assertThatThrownBy(ring::tryClaim)
                .isInstanceOf(RingFailedException.class)
                .hasMessageContaining("could not start");
        made.getFirst().join();
    }

    @Test
    void aGraphOfARingThatHasFailedSaysSoAtOnce() {
        graph.handleEventsWith(nothing());
        graph.close();
        EventGraph<long[]> second = EventGraph.of(ring);
        assertThatThrownBy(() -> second.handleEventsWith(nothing()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the ring takes nothing any more")
                .hasMessageContaining("make a new ring");
        RingBuffer<long[]> other = RingBuffer.forOnePublisher(() -> new long[1], 2);
        try (EventGraph<long[]> third = EventGraph.of(other)) {
            third.handleEventsWith(nothing());
            other.fail("the disk is gone", null);
            assertThatThrownBy(() -> third.start(WaitStrategy.parking()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the disk is gone");
        }
    }

    @Test
    void twoHandlersThatLetEachOtherLeaveDoNotWaitForEver() throws Exception {
        CompletableFuture<Throwable> refused = new CompletableFuture<>();
        CountDownLatch bothBusy = new CountDownLatch(2);
        AtomicReference<EventHandler<long[]>> a = new AtomicReference<>();
        AtomicReference<EventHandler<long[]>> b = new AtomicReference<>();
        a.set((event, sequence, end) -> leave(bothBusy, b, refused));
        b.set((event, sequence, end) -> leave(bothBusy, a, refused));
        graph.handleEventsWith(a.get(), b.get());
        graph.start(WaitStrategy.parking());
        ring.publish(ring.claim());
        assertThat(refused.get())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("which is leaving itself");
        graph.drain(LONG);
    }

    private void leave(
            CountDownLatch bothBusy, AtomicReference<EventHandler<long[]>> other, CompletableFuture<Throwable> refused)
            throws InterruptedException {
        bothBusy.countDown();
        bothBusy.await();
        try {
            graph.leave(other.get());
        } catch (IllegalStateException e) {
            refused.complete(e);
        }
    }

    @Test
    void aStageBehindWhichAPollerStandsCannotLeave() throws Exception {
        EventHandler<long[]> handler = nothing();
        graph.handleEventsWith(handler, nothing());
        graph.start(WaitStrategy.parking());
        EventPoller<long[]> poller = ring.newPoller(graph.after(handler).asSequenceBarrier());
        assertThatThrownBy(() -> graph.leave(handler))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a poller behind it");
        poller.close();
        var barrier = graph.after(handler).asSequenceBarrier();
        graph.leave(handler);
        assertThatThrownBy(() -> ring.newPoller(barrier))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has ended");
    }

    @Test
    void aCustomStageThatGetsNowhereRests() throws Exception {
        AtomicBoolean released = new AtomicBoolean();
        AtomicReference<Thread> worker = new AtomicReference<>();
        graph.handleEventsWith(new Stage(ring, new StageListener() {}, StageSettings.named("stuck")) {
            @Override
            protected long handle(long first, long end) {
                worker.set(Thread.currentThread());
                return released.get() ? end : first;
            }
        });
        graph.start(WaitStrategy.parking());
        ring.publish(ring.claim());
        while (worker.get() == null || worker.get().getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        released.set(true);
        graph.drain(LONG);
    }

    @Test
    void aBatchOfAbortedEventsAloneDoesNotBegin() throws Exception {
        List<String> calls = Collections.synchronizedList(new ArrayList<>());
        EventHandler<long[]> listening = new EventHandler<>() {
            @Override
            public void onBatchStart(long batchSize, long queueDepth) {
                calls.add("begin");
            }

            @Override
            public void onEvent(long[] event, long sequence, boolean endOfBatch) {
                calls.add(endOfBatch ? "end" : "event");
            }
        };
        graph.handleEventsWith(listening);
        graph.start(WaitStrategy.parking());
        long first = ring.claim();
        long last = ring.claim();
        ring.abort(first);
        ring.abort(last);
        graph.drain(LONG);
        assertThat(calls).isEmpty();
        ring.publish(ring.claim());
        graph.drain(LONG);
        assertThat(calls).containsExactly("begin", "end");
    }

    @Test
    void stagesRunOnTheThreadsThatWereChosenForThem() throws Exception {
        List<String> names = Collections.synchronizedList(new ArrayList<>());
        EventHandler<long[]> a = named(names, "a");
        EventHandler<long[]> b = named(names, "b");
        EventHandler<long[]> c = named(names, "c");
        EventHandler<long[]> d = named(names, "d");
        graph.handleEventsWith(a).then(b).then(c).then(d);
        graph.settings(a).name("a").thread("two-step");
        graph.settings(b).name("b");
        graph.settings(c).name("c").thread("two-step");
        graph.settings(d).name("d");
        graph.start(WaitStrategy.parking());
        ring.publish(ring.claim());
        graph.drain(LONG);
        assertThat(names).containsExactly("a on a+c", "b on b", "c on a+c", "d on d");
    }

    /* What a stopped graph has left in its ring can still be read. */
    @Test
    void whatIsLeftAfterAStopCanBeRead() throws Exception {
        EventHandler<long[]> failing = (event, sequence, end) -> {
            if (sequence == 2) {
                throw new IllegalStateException("full");
            }
        };
        graph.handleEventsWith(failing);
        graph.settings(failing).maxBatch(1);
        for (int i = 0; i < 5; i++) {
            long sequence = ring.claim();
            ring.get(sequence)[0] = 10 + i;
            if (i == 3) {
                ring.abort(sequence);
                sequence = ring.claim();
                ring.get(sequence)[0] = 10 + i;
            }
            ring.publish(sequence);
        }
        graph.start(WaitStrategy.parking());
        assertThatThrownBy(() -> graph.await(LONG)).hasMessageContaining("failed on event 2");
        List<Long> left = new ArrayList<>();
        long end = ring.newBarrier().available(graph.positionOf(failing), ring.capacity());
        for (long next = graph.positionOf(failing); next < end; next++) {
            if (!ring.isAborted(next)) {
                left.add(ring.get(next)[0]);
            }
        }
        assertThat(left).containsExactly(12L, 13L, 14L);
    }

    private static EventHandler<long[]> nothing() {
        return new EventHandler<>() {
            @Override
            public void onEvent(long[] event, long sequence, boolean endOfBatch) {}
        };
    }

    private static EventHandler<long[]> named(List<String> names, String name) {
        return (event, sequence, end) ->
                names.add(name + " on " + Thread.currentThread().getName());
    }
}
