package io.slipstream.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.slipstream.core.handler.EventHandler;
import io.slipstream.core.handler.ExceptionPolicy;
import io.slipstream.core.handler.Release;
import io.slipstream.core.ring.EventPoller;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.Ring;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Gates that are opened from outside, events that are released in the middle of a batch, pollers that wait, and writers
 * of several things.
 */
class GateTest {
    private static final Duration LONG = Await.PATIENCE;

    private final RingBuffer<long[]> ring = RingBuffer.forManyPublishers(() -> new long[1], 4);
    private final EventGraph<long[]> graph = EventGraph.of(ring);
    private final List<Long> seen = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        graph.close();
    }

    @Test
    void aStageBehindAGateSleepsUntilItIsOpenedAndSoDoPublishers() throws Exception {
        EventHandler<long[]> journal = (event, sequence, end) -> {};
        Gate gate = new Gate(ring, "acknowledged");
        graph.handleEventsWith(journal);
        graph.handleEventsWith(gate);
        graph.after(journal, gate).handleEventsWith((event, sequence, end) -> seen.add(sequence));
        graph.start(WaitStrategy.parking());
        for (int i = 0; i < 4; i++) {
            ring.publish(ring.claim());
        }
        assertThat(ring.tryClaim()).isEqualTo(Ring.NO_ROOM);
        assertThat(seen).isEmpty();
        gate.open(2);
        gate.open(1);
        while (seen.size() < 2) {
            Thread.onSpinWait();
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> gate.open(5))
                .withMessageContaining("only what is before 4 was published");
        gate.open(4);
        graph.drain(LONG);
        assertThat(seen).containsExactly(0L, 1L, 2L, 3L);
        assertThat(ring.tryClaim()).isEqualTo(4);
        assertThat(graph.picture()).contains("ring ─▶ acknowledged").contains("acknowledged ─▶");
    }

    @Test
    void aGateStandsBehindThePublishersAndNeitherJoinsNorLeaves() {
        Gate gate = new Gate(ring, "gate");
        EventGraph.Group<long[]> first = graph.handleEventsWith((event, sequence, end) -> {});
        assertThatIllegalArgumentException()
                .isThrownBy(() -> first.then(gate))
                .withMessageContaining("behind the publishers alone");
        graph.handleEventsWith(gate);
        graph.start(WaitStrategy.parking());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> graph.join(new Gate(ring, "late")))
                .withMessageContaining("cannot join");
        assertThatIllegalArgumentException().isThrownBy(() -> graph.leave(gate)).withMessageContaining("cannot leave");
    }

    @Test
    void aHandlerReleasesEventsInTheMiddleOfItsBatch() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        EventHandler<long[]> slow = new EventHandler<>() {
            private Release release = position -> {};

            @Override
            public void releaseWith(Release newRelease) {
                release = newRelease;
            }

            @Override
            public void onEvent(long[] event, long sequence, boolean endOfBatch) throws Exception {
                seen.add(sequence);
                if (sequence == 2 && released.getCount() > 0) {
                    release.before(2);
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> release.before(9))
                            .withMessageContaining("batch from 2 to 4");
                    assertThatIllegalArgumentException().isThrownBy(() -> release.before(1));
                    released.countDown();
                    goOn.await();
                    throw new IllegalStateException("once");
                }
            }
        };
        graph.handleEventsWith(slow);
        graph.settings(slow).onException(ExceptionPolicy.retry(1, ExceptionPolicy.stop()));
        long first = ring.claim(4);
        ring.publish(first, 4);
        graph.start(WaitStrategy.parking());
        released.await();
        assertThat(ring.tryClaim(2)).isEqualTo(4);
        assertThat(ring.tryClaim()).isEqualTo(Ring.NO_ROOM);
        ring.publish(4, 2);
        goOn.countDown();
        graph.drain(LONG);
        assertThat(seen).containsExactly(0L, 1L, 2L, 2L, 3L, 4L, 5L);
    }

    @Test
    void pollersWaitForTheFirstEventAndForTheEnd() throws Exception {
        try (EventPoller<long[]> poller = ring.newPoller();
                FrameRing frameRing = new FrameRing(64);
                FramePoller frames = frameRing.newPoller()) {
            assertThat(poller.poll((event, sequence, end) -> true, 1, Duration.ofMillis(1)))
                    .isZero();
            assertThat(frames.poll((memory, offset, length, end) -> {}, 1, Duration.ofNanos(Long.MIN_VALUE)))
                    .isZero();
            Thread publisher = Thread.ofPlatform().start(() -> {
                ring.publish(ring.claim());
                frameRing.publish(frameRing.claim(0));
            });
            assertThat(poller.poll((event, sequence, end) -> true, 1, LONG)).isEqualTo(1);
            assertThat(frames.poll((memory, offset, length, end) -> {}, 1, LONG))
                    .isEqualTo(1);
            publisher.join();
            Thread failing = Thread.ofPlatform().start(() -> ring.fail("over", null));
            assertThat(poller.poll((event, sequence, end) -> true, 1, Duration.ofDays(1_000_000)))
                    .isZero();
            failing.join();
        }
    }

    @Test
    void writersTakeTwoOrThreeThingsAndNumbers() {
        RingBuffer<Object[]> objects = RingBuffer.forOnePublisher(() -> new Object[3], 8);
        assertThat(objects.publishEvent(
                        (event, sequence, a, b) -> {
                            event[0] = a;
                            event[1] = b;
                        },
                        "a",
                        "b"))
                .isTrue();
        assertThat(objects.get(0)).startsWith("a", "b");
        assertThat(objects.publishEvent((event, sequence, a, b, c) -> event[2] = "" + a + b + c, "a", "b", "c"))
                .isTrue();
        assertThat(objects.get(1)[2]).isEqualTo("abc");
        assertThat(objects.publishEvents((event, sequence, value) -> event[0] = value, new long[] {7, 8}))
                .isTrue();
        assertThat(objects.get(3)[0]).isEqualTo(8L);
        assertThat(objects.claimed()).isEqualTo(4);
    }

    @Test
    void anEventIsAvailableUntilOneIsPublishedAtItsPlaceWithOnePublisherAndWithMany() {
        for (boolean one : new boolean[] {true, false}) {
            RingBuffer<long[]> events = one
                    ? RingBuffer.forOnePublisher(() -> new long[1], 2)
                    : RingBuffer.forManyPublishers(() -> new long[1], 2);
            assertThat(events.isAvailable(-1)).isFalse();
            assertThat(events.isAvailable(0)).isFalse();
            for (int i = 0; i < 3; i++) {
                long sequence = events.claim();
                assertThat(events.isAvailable(sequence)).isFalse();
                events.publish(sequence);
                assertThat(events.isAvailable(sequence)).isTrue();
            }
            assertThat(events.isAvailable(0)).isFalse();
            assertThat(events.isAvailable(1)).isTrue();
            assertThat(events.isAvailable(3)).isFalse();
        }
    }
}
