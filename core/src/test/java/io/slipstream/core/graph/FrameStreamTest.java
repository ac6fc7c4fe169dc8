package io.slipstream.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.frame.FrameHandler;
import io.slipstream.core.handler.Action;
import io.slipstream.core.ring.FrameObserver;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.Ring;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Await;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Frames of random lengths, one in a claim or three, with aborts and open claims among them, for every sequencer, wait
 * strategy and graph, on rings that wrap and fill all the time; three where they fit, which is from 256 bytes on. The
 * property {@code slipstream.frames} gives the frames of each publisher, for longer runs.
 */
class FrameStreamTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final Duration LIMIT = Await.PATIENCE;
    private static final int FRAMES = Integer.getInteger("slipstream.frames", 3_000);
    /*
     * So many at least; the others only while there is time, as each costs time slices where threads outnumber the
     * processors.
     */
    private static final int LEAST_FRAMES = Math.min(FRAMES, 50);
    private static final long ENOUGH_NANOS = 30_000_000L * FRAMES / 3_000;
    private static final Map<String, WaitStrategy> STRATEGIES = Map.of(
            "busySpin", new WaitStrategy(WaitStrategy.FOREVER, 0, 1, 1, false),
            "yielding", WaitStrategy.yielding(),
            "backoff", WaitStrategy.backoff(),
            "sleeping", new WaitStrategy(0, 0, 20_000, 20_000, false),
            "parking", WaitStrategy.parking(),
            "blocking", WaitStrategy.blocking(LIMIT));

    @ParameterizedTest
    @CsvSource({"64, 1", "64, 2", "256, 1", "256, 2", "4096, 1", "4096, 2"})
    void everyFrameArrivesOnceInOrderAndWhole(int capacity, int publishers) throws Exception {
        for (Map.Entry<String, WaitStrategy> strategy : STRATEGIES.entrySet()) {
            for (Shape shape : Shape.values()) {
                stream(capacity, publishers, strategy.getKey(), strategy.getValue(), shape, 7L * capacity + publishers);
            }
        }
    }

    private enum Shape {
        UNICAST,
        PIPELINE,
        DIAMOND,
        MULTICAST,
        SHARED,
        MIXED;

        /** Returns the checkers that are used. */
        List<Checker> build(FrameGraph graph) {
            Checker a = new Checker();
            Checker b = new Checker();
            Checker c = new Checker();
            switch (this) {
                case UNICAST -> graph.handleFramesWith(a);
                case PIPELINE -> graph.handleFramesWith(a).then(b.behind(a)).then(c.behind(b));
                case DIAMOND -> graph.handleFramesWith(a, b).then(c.behind(a, b));
                case MULTICAST -> graph.handleFramesWith(a, b, c);
                case SHARED -> graph.shareFramesAmong(a.mayMiss(), b.mayMiss()).then(c.behindOneOf(a, b));
                case MIXED ->
                    graph.handleControlledWith((memory, offset, length, end) -> {
                                a.onFrame(memory, offset, length, end);
                                return Action.CONTINUE;
                            })
                            .thenBatches(b.behind(a)::onRun)
                            .then(c.behind(b));
            }
            return this == UNICAST ? List.of(a) : List.of(a, b, c);
        }
    }

    private static void stream(int capacity, int publishers, String name, WaitStrategy strategy, Shape shape, long seed)
            throws Exception {
        String what = capacity + " bytes, " + publishers + " publishers, " + name + ", " + shape + ", seed " + seed;
        boolean spins = name.equals("busySpin");
        long begin = System.nanoTime();
        // Spinning threads would take turns by the time slice: the stages share one of the two cores, and publishers
        // yield the other.
        try (FrameRing ring = ring(publishers, capacity, spins ? WaitStrategy.yielding() : strategy);
                FrameGraph graph = FrameGraph.of(ring)) {
            List<Checker> checkers = shape.build(graph);
            graph.start(strategy, spins ? 1 : 2);
            List<Thread> running = new ArrayList<>();
            AtomicLong published = new AtomicLong();
            for (int id = 0; id < publishers; id++) {
                Publisher publisher = new Publisher(ring, id, new SplittableRandom(seed + id), publishers == 1);
                running.add(Thread.ofPlatform().start(() -> published.addAndGet(publisher.run(ENOUGH_NANOS))));
            }
            for (Thread thread : running) {
                thread.join();
            }
            graph.drain(LIMIT);
            assertThat(System.nanoTime() - begin)
                    .as("a sleep of " + LIMIT + " ended by itself, not by a wake-up")
                    .isLessThan(LIMIT.toNanos());
            assertThat(checkers)
                    .filteredOn(checker -> !checker.mayMiss)
                    .allMatch(checker -> checker.count == published.get());
            if (shape == Shape.SHARED) {
                assertThat(checkers.get(0).count + checkers.get(1).count).isEqualTo(published.get());
            }
        } catch (Throwable e) {
            throw new AssertionError(what, e);
        }
    }

    @ParameterizedTest
    @CsvSource({"64, 1", "64, 2", "256, 1", "256, 2"})
    void aPollerSeesEachFrameOnceInOrderAndWhole(int capacity, int publishers) throws Exception {
        try (FrameRing ring = ring(publishers, capacity, WaitStrategy.parking());
                FramePoller poller = ring.newPoller()) {
            List<Thread> running = new ArrayList<>();
            AtomicLong published = new AtomicLong();
            for (int id = 0; id < publishers; id++) {
                Publisher publisher = new Publisher(ring, id, new SplittableRandom(id), publishers == 1);
                Thread.Builder thread = id == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
                running.add(thread.start(() -> published.addAndGet(publisher.run(ENOUGH_NANOS))));
            }
            Checker checker = new Checker();
            boolean mayComeMore;
            do {
                mayComeMore = running.stream().anyMatch(Thread::isAlive);
                // By the frame and by the run in turn.
                int frames = poller.poll(checker, 3);
                int bytes = poller.peekRun(capacity / 2);
                checker.onRun(ring.memory(), poller.runOffset(), bytes);
                poller.release(bytes);
                if (frames + bytes > 0) {
                    mayComeMore = true;
                } else {
                    Thread.yield();
                }
            } while (mayComeMore);
            assertThat(checker.count).isEqualTo(published.get()).isPositive();
        }
    }

    @ParameterizedTest
    @CsvSource({"64, 1", "64, 2", "1024, 1", "1024, 2"})
    void anObserverSeesWholeFramesInOrderAndHearsWhatItMissed(int capacity, int publishers) throws Exception {
        try (FrameRing ring = ring(publishers, capacity, WaitStrategy.yielding())) {
            FrameObserver observer = ring.newObserver();
            List<Thread> running = new ArrayList<>();
            for (int id = 0; id < publishers; id++) {
                Publisher publisher = new Publisher(ring, id, new SplittableRandom(id), publishers == 1);
                running.add(Thread.ofPlatform().start(() -> publisher.run(Long.MAX_VALUE)));
            }
            byte[] copy = new byte[capacity];
            Checker checker = new Checker().mayMiss();
            boolean mayComeMore;
            do {
                mayComeMore = running.stream().anyMatch(Thread::isAlive);
                // What a poll leaves that had nothing to give may be half of a frame that was overwritten meanwhile.
                while (observer.poll(FrameStreamTest::copy, copy)) {
                    checker.check(copy);
                }
            } while (mayComeMore);
            assertThat(observer.next()).isEqualTo(ring.claimed());
            assertThat(checker.bytes + observer.missedBytes()).isLessThanOrEqualTo(ring.claimed());
            assertThat(checker.newest).as("the newest frame of one of them").contains(FRAMES - 1);
        }
    }

    /* The broken twin: copies that nobody has made sure of; the checker must notice. */
    @Test
    void theCheckerNoticesAFrameThatWasOverwritten() {
        try (FrameRing ring = ring(1, 64, WaitStrategy.yielding())) {
            new Publisher(ring, 0, new SplittableRandom(1), true).run(Long.MAX_VALUE);
            byte[] copy = new byte[64];
            Checker checker = new Checker();
            assertThatThrownBy(() -> {
                        for (long at = 0; at < ring.claimed(); at += Frame.ALIGNMENT) {
                            copy(ring.memory(), ring.offset(at), 24, copy);
                            checker.check(copy);
                        }
                    })
                    .isInstanceOf(AssertionError.class);
        }
    }

    private static FrameRing ring(int publishers, int capacity, WaitStrategy strategy) {
        return publishers == 1
                ? FrameRing.forOnePublisher(capacity, strategy)
                : FrameRing.forManyPublishers(capacity, strategy);
    }

    private static void copy(MemorySegment memory, long offset, int length, byte[] target) {
        MemorySegment.copy(memory, offset, MemorySegment.ofArray(target), 0, length);
    }

    /**
     * Writes frames that hold their publisher and number in each long, one or three in a claim; aborts some claims, and
     * now and then claims before it publishes what it has claimed.
     */
    private record Publisher(FrameRing ring, int id, SplittableRandom random, boolean claimsAhead) {
        private static final int LONGEST = 8;

        /** Returns how many frames it has published. */
        int run(long enoughNanos) {
            long begin = System.nanoTime();
            int i = 0;
            while (i < FRAMES && (i < LEAST_FRAMES || System.nanoTime() - begin < enoughNanos)) {
                if (random.nextInt(8) == 0) {
                    int count = count(FRAMES);
                    ring.abort(claim(random.nextInt(longest(count) + 1), count));
                }
                int count = count(FRAMES - i);
                int longs = random.nextInt(1, longest(count) + 1);
                long position = claim(longs, count);
                write(position, i, longs, count);
                i += count;
                int countAhead = count(FRAMES - i);
                long ahead =
                        claimsAhead && i < FRAMES && random.nextBoolean() ? ring.tryClaim(8, countAhead) : Ring.NO_ROOM;
                if (ahead != Ring.NO_ROOM) {
                    write(ahead, i, 1, countAhead);
                    i += countAhead;
                }
                publish(position, longs, count);
                if (ahead != Ring.NO_ROOM) {
                    publish(ahead, 1, countAhead);
                }
            }
            return i;
        }

        private int count(int most) {
            return most >= 3 && longest(3) > 0 && random.nextInt(3) == 0 ? 3 : 1;
        }

        /**
         * Returns how many longs a message may have of which {@code count} are claimed together; 0 if they do not fit.
         */
        private int longest(int count) {
            int longs = LONGEST;
            while (longs > 0 && count * FrameRing.stride(8 * longs) > ring.maxMessageLength() + Frame.HEADER_BYTES) {
                longs--;
            }
            return longs;
        }

        private long claim(int longs, int count) {
            return count == 1 ? ring.claim(8 * longs) : ring.claim(8 * longs, count);
        }

        private void publish(long position, int longs, int count) {
            if (count == 1) {
                ring.publish(position);
            } else {
                ring.publish(position, 8 * longs, count);
            }
        }

        private void write(long position, int number, int longs, int count) {
            for (int i = 0; i < count; i++) {
                long frame = ring.offset(position) + (long) i * FrameRing.stride(8 * longs);
                Frame.tag(ring.memory(), frame, ~(number + i));
                for (int k = 0; k < longs; k++) {
                    ring.memory().set(LONG, frame + Frame.HEADER_BYTES + 8L * k, ((long) id << 32) + number + i);
                }
            }
        }
    }

    private static final class Checker implements FrameHandler {
        private final long[] expected = new long[2];
        private final List<Integer> newest = new ArrayList<>(List.of(-1, -1));
        private Checker[] before = {};
        private boolean oneOfBefore;
        private boolean mayMiss;
        private long bytes;
        private long count;

        Checker mayMiss() {
            mayMiss = true;
            return this;
        }

        Checker behind(Checker... stages) {
            before = stages;
            return this;
        }

        Checker behindOneOf(Checker... stages) {
            oneOfBefore = true;
            return behind(stages);
        }

        void onRun(MemorySegment memory, long offset, int bytes) {
            for (long at = offset; at < offset + bytes; at += Frame.align(Frame.length(memory, at))) {
                onFrame(memory, at, Frame.length(memory, at), false);
            }
        }

        @Override
        public void onFrame(MemorySegment memory, long offset, int length, boolean endOfBatch) {
            byte[] copy = new byte[length];
            copy(memory, offset, length, copy);
            long passed = Arrays.stream(before)
                    .mapToLong(stage -> stage.count)
                    .reduce(oneOfBefore ? Long::sum : Long::min)
                    .orElse(Long.MAX_VALUE);
            require(passed > count, "seen before the stages in front of this one had passed it");
            check(copy);
        }

        void check(byte[] frame) {
            MemorySegment memory = MemorySegment.ofArray(frame);
            int length = Frame.length(memory, 0);
            if (length == 0) {
                return;
            }
            long value = memory.get(LONG, Frame.HEADER_BYTES);
            int id = (int) (value >>> 32);
            int number = (int) value;
            require(
                    mayMiss ? number >= expected[id] : number == expected[id],
                    "frame " + number + " instead of " + expected[id]);
            require(Frame.tag(memory, 0) == ~number, "the tag of another frame in frame " + number);
            for (int at = Frame.HEADER_BYTES; at < length; at += 8) {
                require(memory.get(LONG, at) == value, "torn frame " + number);
            }
            expected[id] = number + 1;
            count++;
            newest.set(id, number);
            bytes += Frame.align(length);
            Frame.length(memory, 0, 0);
        }

        private static void require(boolean holds, String what) {
            if (!holds) {
                throw new AssertionError(what);
            }
        }
    }
}
