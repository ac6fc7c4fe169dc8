package io.slipstream.core.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.counters.Counters;
import io.slipstream.core.handler.Action;
import io.slipstream.core.handler.EventHandler;
import io.slipstream.core.handler.ExceptionPolicy;
import io.slipstream.core.ring.EventClaim;
import io.slipstream.core.ring.EventObserver;
import io.slipstream.core.ring.EventPoller;
import io.slipstream.core.ring.FrameClaim;
import io.slipstream.core.ring.FrameObserver;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.Ring;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.ring.RingCounters;
import io.slipstream.core.ring.RingFullException;
import io.slipstream.core.ring.SmartBatcher;
import io.slipstream.core.ring.WhenFull;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Allocations;
import io.slipstream.testkit.Await;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@link RingAllocationTest} leaves: results and failures of handlers, policies of a full ring, time-outs, and who
 * joined.
 */
class StageAllocationTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final int ROUNDS = 50_000;
    private static final int HAND_OVERS = 20_000;
    private static final Duration SHORTEST = Duration.ofNanos(1);
    private static final RuntimeException FAILURE = new IllegalStateException("made before");

    @TempDir
    private Path folder;

    private long sum;
    private int calls;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void retryAndRewindAsResults(boolean many) throws Exception {
        RingBuffer<long[]> ring = many
                ? RingBuffer.forManyPublishers(() -> new long[1], 16)
                : RingBuffer.forOnePublisher(() -> new long[1], 16);
        Stage events = new ControlledStage<>(ring, (event, sequence, end) -> next(), StageSettings.named("a"));
        ring.addGating(events.sequence());
        try (FrameRing frames = many ? new FrameRing(1024) : FrameRing.forOnePublisher(1024, WaitStrategy.parking())) {
            Stage ofFrames =
                    new ControlledFrameStage(frames, (memory, offset, length, end) -> next(), StageSettings.named("b"));
            frames.addGating(ofFrames.sequence());
            Allocations.none(ROUNDS, round -> {
                ring.publish(ring.claim(3), 3);
                ring.abort(ring.claim());
                finish(events, ring);
                for (int i = 0; i < 3; i++) {
                    frames.publish(frames.claim(8));
                    frames.abort(frames.claim(8));
                }
                finish(ofFrames, frames);
            });
        }
    }

    /* Each third is repeated, and each seventh goes back to the beginning of its batch. */
    private Action next() {
        calls++;
        return calls % 3 == 0 ? Action.RETRY : calls % 7 == 0 ? Action.REWIND : Action.CONTINUE;
    }

    @ParameterizedTest
    @ValueSource(strings = {"RETRY", "REWIND", "CONTINUE"})
    void policiesForHandlersThatThrow(String action) throws Exception {
        StageSettings settings = StageSettings.named("a")
                .withExceptionPolicy(
                        ExceptionPolicy.retry(1, (stage, thrown, sequence, attempt) -> Action.valueOf(action)));
        RingBuffer<long[]> ring = RingBuffer.forManyPublishers(() -> new long[1], 16);
        Stage single = new EventStage<>(ring, (event, sequence, end) -> fail(), settings);
        Stage batches = new BatchStage<>(ring, (events, first, end) -> fail(), settings.withName("b"));
        Stage member = new WorkShare.OfEvents<>(ring).add((event, sequence, end) -> fail(), settings.withName("c"));
        ring.addGating(single.sequence());
        ring.addGating(batches.sequence());
        try (FrameRing frames = new FrameRing(1024)) {
            Stage frame = new FrameStage(frames, (memory, offset, length, end) -> fail(), settings.withName("d"));
            Stage runs = new FrameBatchStage(frames, (memory, offset, bytes) -> fail(), settings.withName("e"));
            frames.addGating(frame.sequence());
            frames.addGating(runs.sequence());
            Allocations.none(ROUNDS, round -> {
                ring.publish(ring.claim(2), 2);
                finish(single, ring);
                finish(batches, ring);
                work(member);
                work(member);
                frames.publish(frames.claim(8));
                finish(frame, frames);
                finish(runs, frames);
            });
        }
    }

    private void fail() {
        if (++calls % 3 != 0) {
            throw FAILURE;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void droppingAndRefusing(boolean many) throws Exception {
        RingBuffer<long[]> ring = many
                ? RingBuffer.forManyPublishers(() -> new long[1], 4, WaitStrategy.yielding(), WhenFull.DROP_NEWEST)
                : RingBuffer.forOnePublisher(() -> new long[1], 4, WaitStrategy.yielding(), WhenFull.DROP_NEWEST);
        ring.newPoller();
        ring.publish(ring.claim(4), 4);
        EventClaim<long[]> claims = ring.newClaim();
        Long[] two = {1L, 2L};
        try (FrameRing frames = many
                        ? FrameRing.forManyPublishers(64, WaitStrategy.yielding(), WhenFull.DROP_NEWEST)
                        : FrameRing.forOnePublisher(64, WaitStrategy.yielding(), WhenFull.DROP_NEWEST);
                FrameRing failing = FrameRing.forOnePublisher(64, WaitStrategy.yielding(), WhenFull.FAIL)) {
            FrameClaim frameClaims = frames.newClaim();
            for (FrameRing full : new FrameRing[] {frames, failing}) {
                full.newPoller();
                while (full.tryPublishFrame(8, (memory, offset, length, nothing) -> {}, "")) {
                    sum++;
                }
            }
            Allocations.none(ROUNDS, round -> {
                sum += ring.publishEvent((event, sequence, value) -> event[0] = value, two[0]) ? 1 : 0;
                sum += ring.tryPublishEvent((event, sequence, value) -> event[0] = value, two[0]) ? 1 : 0;
                sum += ring.publishEvents((event, sequence, value) -> event[0] = value, two) ? 1 : 0;
                sum += ring.tryPublishEvents((event, sequence, value) -> event[0] = value, two) ? 1 : 0;
                sum += claims.tryClaim() == null && claims.tryClaim(2) == null && claims.tryClaim(2, SHORTEST) == null
                        ? 1
                        : 0;
                sum += frames.publishFrame(
                                8, (memory, offset, length, value) -> memory.set(LONG, offset, value), two[0])
                        ? 1
                        : 0;
                sum += frames.tryClaim(8, SHORTEST);
                sum += frameClaims.tryClaim(8) == null && frameClaims.tryClaim(8, SHORTEST) == null ? 1 : 0;
                try {
                    failing.publishFrame(8, (memory, offset, length, value) -> {}, two);
                } catch (RingFullException e) {
                    sum++;
                }
            });
        }
    }

    @Test
    void claimsOfSeveralAndRunsOfFrames() throws Exception {
        RingBuffer<long[]> ring = RingBuffer.forManyPublishers(() -> new long[1], 16);
        EventClaim<long[]> claims = ring.newClaim();
        EventPoller<long[]> poller = ring.newPoller();
        Long[] two = {1L, 2L};
        try (FrameRing frames = FrameRing.forOnePublisher(1024, WaitStrategy.parking())) {
            SmartBatcher<RuntimeException> batcher =
                    new SmartBatcher<>(frames, frames.newPoller(), 64, (memory, offset, bytes) -> bytes);
            Allocations.none(ROUNDS, round -> {
                try (var claim = claims.claim(3)) {
                    claim.event(2)[0] = round;
                    claim.publish();
                }
                try (var _ = claims.tryClaim(2)) {
                    sum++;
                }
                ring.publishEvents((event, sequence, value) -> event[0] = value, two);
                poll(poller);
                frames.publish(frames.claim(round & 31));
                sum += batcher.work();
            });
        }
    }

    @Test
    void observersThatAreOverrun() throws Exception {
        RingBuffer<long[]> ring = RingBuffer.forOnePublisher(() -> new long[1], 4);
        EventObserver<long[]> observer = ring.newObserver();
        long[] copy = new long[1];
        try (FrameRing frames = FrameRing.forManyPublishers(64, WaitStrategy.parking())) {
            FrameObserver ofFrames = frames.newObserver();
            Allocations.none(ROUNDS, round -> {
                for (int i = 0; i < 6; i++) {
                    ring.publish(ring.claim());
                    frames.publish(frames.claim(8));
                }
                while (observer.poll((event, target) -> target[0] = event[0], copy)) {
                    sum++;
                }
                while (ofFrames.poll((memory, offset, length, target) -> target[0] = length, copy)) {
                    sum++;
                }
                sum += observer.missed() + ofFrames.missedBytes();
            });
        }
    }

    @Test
    void timeOutsOfStages() throws Exception {
        RingBuffer<long[]> ring = RingBuffer.forOnePublisher(() -> new long[1], 4);
        EventHandler<long[]> handler = new EventHandler<>() {
            @Override
            public void onEvent(long[] event, long sequence, boolean endOfBatch) {
                sum += event[0];
            }

            @Override
            public void onTimeout(long sequence) {
                sum++;
            }
        };
        Stage stage = new EventStage<>(ring, handler, StageSettings.named("a").withTimeout(SHORTEST));
        ring.addGating(stage.sequence());
        Allocations.none(ROUNDS, round -> {
            ring.publish(ring.claim());
            for (int i = 0; i < 4; i++) {
                work(stage);
            }
        });
    }

    @Test
    void publishersStagesAndWhoHasJoinedBehindThem() throws Exception {
        RingBuffer<long[]> ring = RingBuffer.forManyPublishers(() -> new long[1], 4);
        Thread[] workers = new Thread[3];
        try (EventGraph<long[]> graph = EventGraph.of(ring)) {
            EventGraph.Group<long[]> first =
                    graph.handleEventsWith((event, sequence, end) -> workers[0] = Thread.currentThread());
            graph.start(WaitStrategy.parking());
            graph.join("beside", (event, sequence, end) -> workers[1] = Thread.currentThread());
            first.join("behind", (event, sequence, end) -> workers[2] = Thread.currentThread());
            publish(ring, graph);
            long enough = workers.length * Allocations.NOISE_BYTES;
            assertThat(Allocations.least(enough, () -> publish(ring, graph), workers))
                    .isLessThanOrEqualTo(enough);
        }
    }

    @Test
    void countersOfARingAndItsGraph() throws Exception {
        RingBuffer<long[]> ring = RingBuffer.forManyPublishers(() -> new long[1], 16);
        EventPoller<long[]> poller = ring.newPoller();
        try (Counters counters = Counters.create(folder.resolve("c"), 32);
                EventGraph<long[]> graph = EventGraph.of(ring)) {
            graph.handleEventsWith((event, sequence, end) -> sum++).then((event, sequence, end) -> sum++);
            graph.shareEventsAmong((event, sequence, end) -> sum++, (event, sequence, end) -> sum++);
            GraphCounters ofGraph = new GraphCounters(graph, counters, "graph", SHORTEST);
            RingCounters ofRing =
                    new RingCounters(ring, counters, "ring", SHORTEST).addLag("poller", poller.sequence());
            Allocations.none(ROUNDS, round -> {
                ofGraph.work();
                ofRing.work();
            });
            graph.start(WaitStrategy.parking());
            EventHandler<long[]> late = (event, sequence, end) -> sum++;
            graph.join("late", late);
            ofGraph.copy();
            graph.leave(late);
            Allocations.none(ROUNDS, round -> ofGraph.work());
        }
    }

    private static void publish(RingBuffer<long[]> ring, EventGraph<long[]> graph) throws Exception {
        for (int i = 0; i < HAND_OVERS; i++) {
            ring.publish(ring.claim());
        }
        graph.drain(Await.PATIENCE);
    }

    private static void finish(Stage stage, Ring ring) {
        while (stage.sequence().getAcquire() < ring.claimed()) {
            work(stage);
        }
    }

    private static void work(Stage stage) {
        try {
            stage.work();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void poll(EventPoller<long[]> poller) {
        try {
            poller.poll((event, sequence, end) -> true, 16);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
