package io.slipstream.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.handler.Action;
import io.slipstream.core.handler.EventHandler;
import io.slipstream.core.ring.EventPoller;
import io.slipstream.core.ring.Ring;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.ring.WhenFull;
import io.slipstream.core.sequence.SequenceBarrier;
import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.core.thread.Waiter;
import io.slipstream.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every sequencer, wait strategy, graph and claim size, on rings so small that they wrap and fill all the time, with
 * aborts. The property {@code slipstream.events} gives the events of each publisher, for longer runs.
 */
class CheckedStreamTest {
    private static final int EVENTS = Integer.getInteger("slipstream.events", 80);
    private static final Duration SLEEP = Await.PATIENCE;
    private static final int MOST_STAGES = 4;
    private static final Duration LIMIT = SLEEP.multipliedBy(2);
    private static final Map<String, WaitStrategy> STRATEGIES = Map.of(
            "busySpin", new WaitStrategy(WaitStrategy.FOREVER, 0, 1, 1, false),
            "yielding", WaitStrategy.yielding(),
            "backoff", WaitStrategy.backoff(),
            "sleeping", new WaitStrategy(0, 0, 20_000, 20_000, false),
            "parking", WaitStrategy.parking(),
            "blocking", WaitStrategy.blocking(SLEEP));

    private enum Shape {
        UNICAST,
        PIPELINE,
        DIAMOND,
        MULTICAST,
        SHARED,
        MIXED;

        void build(EventGraph<Item> graph, List<Checker> all) {
            Checker a = checker(all, this == SHARED);
            Checker b = checker(all, this == SHARED);
            Checker c = checker(all, false);
            switch (this) {
                case UNICAST -> graph.handleEventsWith(a);
                case PIPELINE -> graph.handleEventsWith(a).then(b.behind(a)).then(c.behind(b));
                case DIAMOND -> graph.handleEventsWith(a, b).then(c.behind(a, b));
                case MULTICAST -> graph.handleEventsWith(a, b, c);
                case MIXED ->
                    graph.handleControlledWith((item, sequence, end) -> {
                                a.onEvent(item, sequence, end);
                                return Action.CONTINUE;
                            })
                            .thenBatches((ring, first, end) -> {
                                for (long at = first; at < end; at++) {
                                    b.onEvent(ring.get(at), at, at + 1 == end);
                                }
                            })
                            .then(c.behind(b.behind(a)));
                case SHARED -> graph.shareEventsAmong(a, b).then(c.behindOneOf(a, b));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyEventArrivesOnceInOrderAndWhole(Shape shape) throws Exception {
        for (Map.Entry<String, WaitStrategy> strategy : STRATEGIES.entrySet()) {
            for (int capacity : new int[] {1, 2, 4, 8, 16}) {
                for (int publishers : new int[] {1, 2}) {
                    for (int claim : new int[] {1, Math.min(3, capacity)}) {
                        // Spinning threads would take turns by the time slice; two of them share the two cores.
                        int threads = strategy.getKey().equals("busySpin") ? 1 : Integer.MAX_VALUE;
                        run(
                                shape,
                                strategy.getValue(),
                                capacity,
                                publishers,
                                claim,
                                threads,
                                shape + ", " + strategy.getKey() + ", " + capacity + " slots, " + publishers
                                        + " publishers, claims of " + claim);
                    }
                }
            }
        }
    }

    private static void run(
            Shape shape, WaitStrategy strategy, int capacity, int publishers, int claim, int threads, String what)
            throws Exception {
        // Three spinning threads would take turns by the time slice, and two can on busy processors, if each waits for
        // the other's.
        boolean spins = strategy.spins() == WaitStrategy.FOREVER && (publishers > 1 || capacity < 16);
        WaitStrategy publishersWait = spins ? WaitStrategy.yielding() : strategy;
        long begin = System.nanoTime();
        RingBuffer<Item> ring = publishers == 1
                ? RingBuffer.forOnePublisher(Item::new, capacity, publishersWait, WhenFull.WAIT)
                : RingBuffer.forManyPublishers(Item::new, capacity, publishersWait, WhenFull.WAIT);
        List<Checker> checkers = new ArrayList<>();
        try (EventGraph<Item> graph = EventGraph.of(ring)) {
            shape.build(graph, checkers);
            graph.start(strategy, threads);
            List<Thread> running = new ArrayList<>();
            for (int id = 0; id < publishers; id++) {
                int mine = id;
                running.add(Thread.ofPlatform().start(() -> publish(ring, mine, claim)));
            }
            for (Thread thread : running) {
                thread.join();
            }
            graph.drain(LIMIT);
        } catch (Throwable e) {
            throw new AssertionError(what, e);
        }
        assertThat(System.nanoTime() - begin)
                .as("a sleep of " + SLEEP + " ended by itself, not by a wake-up: " + what)
                .isLessThan(SLEEP.toNanos());
        long seen =
                checkers.stream().filter(c -> c.used).mapToLong(c -> c.count).sum();
        long stages = checkers.stream().filter(c -> c.used && !c.shared).count() + (shape == Shape.SHARED ? 1 : 0);
        assertThat(seen).as(what).isEqualTo(stages * publishers * EVENTS);
    }

    private static void publish(RingBuffer<Item> ring, int id, int claim) {
        for (int i = 0; i < EVENTS; i += claim) {
            if (i % 7 == 0) {
                ring.abort(ring.claim());
            }
            int count = Math.min(claim, EVENTS - i);
            long first = ring.claim(count);
            // Given up before the claim in front of it is written, and with a newer one behind it where there is room.
            long doomed = i % 5 == 0 ? ring.tryClaim() : Ring.NO_ROOM;
            long newer = doomed >= 0 ? ring.tryClaim() : Ring.NO_ROOM;
            if (doomed >= 0) {
                ring.abort(doomed);
            }
            for (int k = 0; k < count; k++) {
                ring.get(first + k).write(id, i + k, first + k);
            }
            ring.publish(first, count);
            if (newer >= 0) {
                ring.abort(newer);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 16})
    void aPollerSeesEachEventOnceInOrderAndWhole(int capacity) throws Exception {
        RingBuffer<Item> ring =
                RingBuffer.forManyPublishers(Item::new, capacity, WaitStrategy.parking(), WhenFull.WAIT);
        Checker checker = new Checker(0, false);
        // It sleeps until the next publication whenever it is told that nothing is there.
        Signal signal = new Signal();
        Waiter waiter = WaitStrategy.parking().newWaiter(signal);
        ring.addSignal(signal);
        try (EventPoller<Item> poller = ring.newPoller()) {
            List<Thread> running = List.of(
                    Thread.ofPlatform().start(() -> publish(ring, 0, 1)),
                    Thread.ofVirtual().start(() -> publish(ring, 1, 1)));
            while (checker.count < 2 * EVENTS) {
                waiter.idle(poller.poll(
                        (item, sequence, end) -> {
                            checker.onEvent(item, sequence, end);
                            return true;
                        },
                        1));
            }
            for (Thread thread : running) {
                thread.join();
            }
        }
    }

    /* The broken twin: publishers that do not wait for the consumer; the checker must notice. */
    @Test
    void theCheckerNoticesAConsumerThatNobodyWaitsFor() {
        RingBuffer<Item> ring = RingBuffer.forOnePublisher(Item::new, 4);
        SequenceBarrier barrier = ring.newBarrier();
        Checker checker = new Checker(0, false);
        assertThatThrownBy(() -> {
                    publish(ring, 0, 1);
                    for (long next = 0; next < barrier.available(next, 100); next++) {
                        checker.onEvent(ring.get(next), next, false);
                    }
                })
                .isInstanceOf(AssertionError.class);
    }

    private static Checker checker(List<Checker> all, boolean shared) {
        Checker checker = new Checker(all.size(), shared);
        all.add(checker);
        return checker;
    }

    private static final class Item {
        private int id;
        private int number;
        private long sequence;
        private int notNumber;
        private final long[] seenBy = new long[MOST_STAGES];

        void write(int newId, int newNumber, long newSequence) {
            id = newId;
            number = newNumber;
            sequence = newSequence;
            notNumber = ~newNumber;
        }
    }

    private static final class Checker implements EventHandler<Item> {
        private final int index;
        private final boolean shared;
        private final int[] expected = new int[2];
        private Checker[] before = {};
        private boolean anyOfBefore;
        private boolean used;
        private long count;

        Checker(int index, boolean shared) {
            this.index = index;
            this.shared = shared;
        }

        Checker behind(Checker... stages) {
            before = stages;
            return this;
        }

        Checker behindOneOf(Checker... stages) {
            anyOfBefore = true;
            return behind(stages);
        }

        @Override
        public void onEvent(Item item, long sequence, boolean endOfBatch) {
            require(item.sequence == sequence && item.notNumber == ~item.number, "torn or overwritten", sequence);
            require(
                    shared ? item.number >= expected[item.id] : item.number == expected[item.id],
                    "lost or out of order",
                    sequence);
            expected[item.id] = item.number + 1;
            int seen = 0;
            for (Checker stage : before) {
                seen += item.seenBy[stage.index] == sequence + 1 ? 1 : 0;
            }
            require(seen == (anyOfBefore ? 1 : before.length), "too early, or handled by two", sequence);
            item.seenBy[index] = sequence + 1;
            used = true;
            count++;
        }

        private void require(boolean holds, String what, long sequence) {
            if (!holds) {
                throw new AssertionError(what + ": event " + sequence + " at checker " + index);
            }
        }
    }
}
