package io.slipstream.core.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.FrameHandler;
import io.slipstream.core.handler.Action;
import io.slipstream.core.ring.EventClaim;
import io.slipstream.core.ring.EventObserver;
import io.slipstream.core.ring.EventPoller;
import io.slipstream.core.ring.EventVisitor;
import io.slipstream.core.ring.FrameClaim;
import io.slipstream.core.ring.FrameObserver;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.ring.RingFullException;
import io.slipstream.core.ring.WhenFull;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Allocations;
import io.slipstream.testkit.Await;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A publisher and its consumer, most often on one thread so that each path is taken at each step, allocate nothing. */
class RingAllocationTest {
    private static final int ROUNDS = 50_000;
    private static final int HAND_OVERS = 4_000;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private long sum;

    @Test
    void eventsByOneAndByManyPublishers() throws Exception {
        for (boolean many : new boolean[] {false, true}) {
            RingBuffer<long[]> ring = many
                    ? RingBuffer.forManyPublishers(() -> new long[1], 16)
                    : RingBuffer.forOnePublisher(() -> new long[1], 16);
            EventPoller<long[]> poller = ring.newPoller();
            EventObserver<long[]> observer = ring.newObserver();
            EventClaim<long[]> claims = ring.newClaim();
            EventVisitor<long[]> visitor = (event, sequence, endOfBatch) -> {
                sum += event[0];
                return true;
            };
            long[] copy = new long[1];
            Allocations.none(ROUNDS, round -> {
                long sequence = ring.claim();
                ring.get(sequence)[0] = round;
                ring.publish(sequence);
                long first = ring.tryClaim(3);
                ring.publish(first, 3);
                try (var claim = claims.claim()) {
                    claim.event()[0] = 1;
                    claim.publish();
                }
                ring.publishEvent((event, at, value) -> event[0] = value.length, copy);
                ring.abort(ring.claim());
                while (observer.poll((event, target) -> target[0] = event[0], copy)) {
                    sum += copy[0];
                }
                poll(poller, visitor);
            });
        }
    }

    @Test
    void framesByOneAndByManyPublishers() throws Exception {
        for (boolean many : new boolean[] {false, true}) {
            try (FrameRing ring = many
                    ? FrameRing.forManyPublishers(1024, WaitStrategy.parking())
                    : FrameRing.forOnePublisher(1024, WaitStrategy.parking())) {
                FramePoller poller = ring.newPoller();
                FrameClaim claims = ring.newClaim();
                FrameObserver observer = ring.newObserver();
                long[] copy = new long[1];
                FrameHandler handler = (memory, offset, length, endOfBatch) -> sum += length;
                Allocations.none(ROUNDS, round -> {
                    ring.publish(ring.claim(round & 63));
                    try (var claim = claims.claim(40)) {
                        claim.publish();
                    }
                    try (var claim = claims.claim(8, 3)) {
                        claim.publish();
                    }
                    ring.publish(ring.claim(40, 2), 40, 2);
                    ring.abort(ring.tryClaim(8));
                    ring.publishFrame(8, (memory, offset, length, value) -> memory.set(LONG, offset, value[0]), copy);
                    while (observer.poll((memory, offset, length, target) -> target[0] = length, copy)) {
                        sum += copy[0];
                    }
                    poller.poll(handler, 100);
                });
            }
        }
    }

    @Test
    void stages() throws Exception {
        RingBuffer<long[]> ring = RingBuffer.forOnePublisher(() -> new long[1], 16);
        EventStage<long[]> first =
                new EventStage<>(ring, (event, sequence, end) -> sum += event[0], StageSettings.named("a"));
        BatchStage<long[]> second =
                new BatchStage<>(ring, (events, from, end) -> sum += end - from, StageSettings.named("b"));
        second.connect(ring.newBarrier(first.sequence()), false);
        ring.addGating(second.sequence());
        Allocations.none(ROUNDS, round -> {
            ring.publish(ring.claim(5), 5);
            work(first);
            work(second);
        });
    }

    @Test
    void controlledSharedAndFrameStages() throws Exception {
        RingBuffer<long[]> ring = RingBuffer.forManyPublishers(() -> new long[1], 16);
        ControlledStage<long[]> first = new ControlledStage<>(
                ring,
                (event, sequence, end) -> {
                    sum += event[0];
                    return Action.CONTINUE;
                },
                StageSettings.named("a"));
        WorkShare.OfEvents<long[]> share = new WorkShare.OfEvents<>(ring);
        Stage second = share.add((event, sequence, end) -> sum += sequence, StageSettings.named("b"));
        second.connect(ring.newBarrier(first.sequence()), false);
        ring.addGating(share.work());
        try (FrameRing frames = FrameRing.forManyPublishers(1024, WaitStrategy.parking())) {
            FrameStage third =
                    new FrameStage(frames, (memory, offset, length, end) -> sum += length, StageSettings.named("c"));
            Stage fourth = new ControlledFrameStage(
                    frames,
                    (memory, offset, length, end) -> {
                        sum += length;
                        return Action.CONTINUE;
                    },
                    StageSettings.named("d"));
            Stage fifth =
                    new FrameBatchStage(frames, (memory, offset, bytes) -> sum += bytes, StageSettings.named("e"));
            WorkShare.OfFrames frameShare = new WorkShare.OfFrames(frames);
            Stage sixth = frameShare.add((memory, offset, length, end) -> sum += length, StageSettings.named("f"));
            Stream.of(third.sequence(), fourth.sequence(), fifth.sequence(), frameShare.work())
                    .forEach(frames::addGating);
            Allocations.none(ROUNDS, round -> {
                ring.publish(ring.claim());
                work(first);
                work(second);
                frames.publish(frames.claim(round & 31));
                work(third);
                work(fourth);
                work(fifth);
                // Padding at the wrap is a piece of work of its own.
                work(sixth);
                work(sixth);
            });
        }
    }

    @Test
    void waitingForRoomAndGivingUp() throws Exception {
        Duration shortest = Duration.ofNanos(20_000);
        RingBuffer<long[]> parking =
                RingBuffer.forManyPublishers(() -> new long[1], 1, WaitStrategy.blocking(shortest), WhenFull.WAIT);
        RingBuffer<long[]> yielding =
                RingBuffer.forOnePublisher(() -> new long[1], 1, WaitStrategy.yielding(), WhenFull.WAIT);
        parking.newPoller();
        yielding.newPoller();
        parking.publish(parking.claim());
        yielding.publish(yielding.claim());
        Allocations.none(ROUNDS, round -> {
            if (round % 50 == 0) {
                sum += parking.tryClaim(1, shortest) + yielding.tryClaim(1, shortest);
            }
        });
    }

    @Test
    void refusingByAnException() throws Exception {
        RingBuffer<long[]> ring =
                RingBuffer.forOnePublisher(() -> new long[1], 1, WaitStrategy.yielding(), WhenFull.FAIL);
        ring.newPoller();
        ring.publish(ring.claim());
        Allocations.none(ROUNDS, round -> {
            try {
                sum += ring.publishEvent((event, sequence, test) -> event[0] = 1, this) ? 1 : 0;
            } catch (RingFullException e) {
                sum++;
            }
        });
    }

    /* One slot, so that each event puts the publisher and the stage to sleep and wakes them. */
    @Test
    void aPublisherAndAWorkerThatSleepAndWake() throws Exception {
        RingBuffer<long[]> ring = RingBuffer.forManyPublishers(
                () -> new long[1], 1, WaitStrategy.blocking(Duration.ofHours(1)), WhenFull.WAIT);
        Thread[] worker = new Thread[1];
        try (EventGraph<long[]> graph = EventGraph.of(ring)) {
            graph.handleEventsWith((event, sequence, end) -> worker[0] = Thread.currentThread());
            graph.start(WaitStrategy.blocking(Duration.ofHours(1)));
            publish(ring, graph);
            long enough = 2 * Allocations.NOISE_BYTES;
            assertThat(Allocations.least(enough, () -> publish(ring, graph), Thread.currentThread(), worker[0]))
                    .isLessThanOrEqualTo(enough);
        }
    }

    private static void publish(RingBuffer<long[]> ring, EventGraph<long[]> graph) throws Exception {
        for (int i = 0; i < HAND_OVERS; i++) {
            ring.publish(ring.claim());
        }
        graph.drain(Await.PATIENCE);
    }

    private static void work(Stage stage) {
        try {
            stage.work();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void poll(EventPoller<long[]> poller, EventVisitor<long[]> visitor) {
        try {
            poller.poll(visitor, 16);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
