package io.slipstream.core.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.frame.FrameHandler;
import io.slipstream.core.handler.EventHandler;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.ring.WhenFull;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Await;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Handlers that join and leave behind others while events flow, on rings of 1 to 16 slots: each sees everything from
 * where it has joined to where it has left, once, in order, and never before those that it stands behind.
 */
class JoinStreamTest {
    private static final Duration SLEEP = Await.PATIENCE;
    private static final int JOINS = 3;
    private static final int ENOUGH = 20;
    private static final WaitStrategy[] STRATEGIES = {
        WaitStrategy.yielding(), WaitStrategy.backoff(), WaitStrategy.parking(), WaitStrategy.blocking(SLEEP)
    };
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private volatile boolean running = true;

    private enum Shape {
        ONE,
        TWO,
        SHARED,
        MIDDLE;

        EventGraph.Group<Item> build(EventGraph<Item> graph) {
            EventHandler<Item> a = (item, sequence, end) -> item.passedByFirst = sequence + 1;
            EventHandler<Item> b = (item, sequence, end) -> item.passedBySecond = sequence + 1;
            EventHandler<Item> both = (item, sequence, end) -> item.passedByFirst = item.passedBySecond = sequence + 1;
            EventHandler<Item> bothToo =
                    (item, sequence, end) -> item.passedByFirst = item.passedBySecond = sequence + 1;
            return switch (this) {
                case ONE -> graph.handleEventsWith(both);
                case TWO -> graph.handleEventsWith(a, b);
                case SHARED -> graph.shareEventsAmong(both, bothToo);
                case MIDDLE -> {
                    EventGraph.Group<Item> middle = graph.handleEventsWith(a).then(b);
                    middle.then((item, sequence, end) -> {});
                    yield middle;
                }
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoJoinsBehindOthersSeesEachEventAfterThem(Shape shape) throws Exception {
        for (WaitStrategy strategy : STRATEGIES) {
            for (int capacity : new int[] {1, 4, 16}) {
                for (int publishers : new int[] {1, 2}) {
                    String what = shape + ", " + strategy + ", " + capacity + " slots, " + publishers + " publishers";
                    long begin = System.nanoTime();
                    try {
                        events(shape, strategy, capacity, publishers);
                    } catch (Throwable e) {
                        throw new AssertionError(what, e);
                    }
                    assertThat(System.nanoTime() - begin)
                            .as("ended by itself, not by a wake-up: " + what)
                            .isLessThan(SLEEP.toNanos());
                }
            }
        }
    }

    private void events(Shape shape, WaitStrategy strategy, int capacity, int publishers) throws Exception {
        RingBuffer<Item> ring = publishers == 1
                ? RingBuffer.forOnePublisher(Item::new, capacity, strategy, WhenFull.WAIT)
                : RingBuffer.forManyPublishers(Item::new, capacity, strategy, WhenFull.WAIT);
        try (EventGraph<Item> graph = EventGraph.of(ring)) {
            EventGraph.Group<Item> group = shape.build(graph);
            graph.start(strategy);
            List<Thread> threads = publish(publishers, () -> {
                long sequence = ring.claim();
                ring.get(sequence).sequence = sequence;
                ring.publish(sequence);
            });
            for (int i = 0; i < JOINS; i++) {
                Joiner joiner = new Joiner();
                long from = group.join("joiner", joiner);
                joiner.awaitEnough();
                joiner.check(from, graph.leave(joiner));
            }
            end(threads);
            graph.drain(SLEEP);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ONE", "SHARED"})
    void whoJoinsBehindOthersSeesEachFrameAfterThem(Shape shape) throws Exception {
        for (WaitStrategy strategy : STRATEGIES) {
            for (int capacity : new int[] {64, 1024}) {
                for (int publishers : new int[] {1, 2}) {
                    try (FrameRing ring = publishers == 1
                                    ? FrameRing.forOnePublisher(capacity, strategy)
                                    : FrameRing.forManyPublishers(capacity, strategy);
                            FrameGraph graph = FrameGraph.of(ring)) {
                        frames(ring, graph, shape, strategy, publishers);
                    } catch (Throwable e) {
                        throw new AssertionError(
                                shape + ", " + strategy + ", " + capacity + " bytes, " + publishers + " publishers", e);
                    }
                }
            }
        }
    }

    private void frames(FrameRing ring, FrameGraph graph, Shape shape, WaitStrategy strategy, int publishers)
            throws Exception {
        FrameHandler first = (memory, offset, length, end) ->
                Frame.tag(memory, offset, (int) memory.get(LONG, offset + Frame.HEADER_BYTES));
        FrameHandler second = (memory, offset, length, end) ->
                Frame.tag(memory, offset, (int) memory.get(LONG, offset + Frame.HEADER_BYTES));
        FrameGraph.Group group =
                shape == Shape.ONE ? graph.handleFramesWith(first) : graph.shareFramesAmong(first, second);
        graph.start(strategy);
        List<Thread> threads = publish(publishers, () -> {
            long position = ring.claim(Long.BYTES);
            Frame.tag(ring.memory(), ring.offset(position), -1);
            ring.memory().set(LONG, ring.offset(position) + Frame.HEADER_BYTES, position);
            ring.publish(position);
        });
        for (int i = 0; i < JOINS; i++) {
            Joiner joiner = new Joiner();
            FrameHandler handler = (memory, offset, length, end) -> joiner.onFrame(memory, offset);
            long from = group.join("joiner", handler);
            joiner.awaitEnough();
            joiner.check(from, graph.leave(handler));
        }
        end(threads);
        graph.drain(SLEEP);
    }

    private List<Thread> publish(int publishers, Runnable one) {
        running = true;
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < publishers; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                while (running) {
                    one.run();
                }
            }));
        }
        return threads;
    }

    private void end(List<Thread> threads) throws InterruptedException {
        running = false;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static final class Item {
        private long sequence;
        private long passedByFirst;
        private long passedBySecond;
    }

    private static final class Joiner implements EventHandler<Item> {
        private final CountDownLatch enough = new CountDownLatch(ENOUGH);
        private long first = -1;
        private long end = -1;

        @Override
        public void onEvent(Item item, long sequence, boolean endOfBatch) {
            see(
                    sequence,
                    1,
                    item.sequence == sequence,
                    item.passedByFirst == sequence + 1 && item.passedBySecond == sequence + 1);
        }

        void onFrame(MemorySegment memory, long offset) {
            long position = memory.get(LONG, offset + Frame.HEADER_BYTES);
            see(position, Frame.ALIGNMENT, true, Frame.tag(memory, offset) == (int) position);
        }

        private void see(long position, int size, boolean isWhole, boolean isPassed) {
            if (!isWhole || !isPassed || (end >= 0 && position != end)) {
                throw new AssertionError("at " + position
                        + (isWhole ? isPassed ? ": expected " + end : ": too early" : ": overwritten"));
            }
            first = first < 0 ? position : first;
            end = position + size;
            enough.countDown();
        }

        void awaitEnough() throws InterruptedException {
            assertThat(enough.await(SLEEP.toSeconds(), TimeUnit.SECONDS))
                    .as("sees %s events", ENOUGH)
                    .isTrue();
        }

        void check(long from, long to) {
            assertThat(first).isEqualTo(from);
            assertThat(end).isEqualTo(to);
        }
    }
}
