package io.slipstream.core.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.thread.WaitStrategy;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rings that nobody consumes, or that a consumer joins late: a claim that is still open is never overwritten. */
class UnconsumedRingTest {
    private static final int EVENTS = 30_000;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nobodyClaimsAPlaceWhereAnotherClaimIsStillOpen(boolean many) {
        RingBuffer<Pair> ring = ring(many);
        long open = ring.claim();
        long others = ring.claim(3);
        if (many) {
            ring.publish(others, 3);
        }
        assertThat(ring.tryClaim()).as("one lap ahead of the open claim").isEqualTo(Ring.NO_ROOM);
        assertThat(ring.tryClaim(3)).isEqualTo(Ring.NO_ROOM);
        ring.publish(open);
        assertThat(ring.tryClaim()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void publishersGoOnForEverIfNobodyConsumes(boolean many) {
        RingBuffer<Pair> ring = ring(many);
        for (int i = 0; i < 100; i++) {
            ring.publish(ring.claim(3), 3);
        }
        assertThat(ring.claimed()).isEqualTo(300);
        assertThat(ring.refused()).isZero();
    }

    @Test
    void nobodyClaimsBytesWhereAFrameIsStillOpen() {
        try (FrameRing ring = FrameRing.forManyPublishers(64, WaitStrategy.yielding())) {
            long open = ring.claim(8);
            for (int i = 0; i < 3; i++) {
                ring.publish(ring.claim(8));
            }
            assertThat(ring.tryClaim(8)).isEqualTo(Ring.NO_ROOM);
            ring.publish(open);
            for (int i = 0; i < 100; i++) {
                ring.publish(ring.claim(8));
            }
        }
    }

    @Test
    void whoJoinsBehindAnOpenClaimIsNotLappedByIt() {
        RingBuffer<Pair> ring = ring(true);
        long open = ring.claim();
        ring.publish(ring.claim());
        EventPoller<Pair> poller = ring.newPoller();
        assertThat(poller.sequence().getAcquire()).isEqualTo(2);
        ring.publish(ring.claim(2), 2);
        assertThat(ring.tryClaim()).as("the place of the open claim").isEqualTo(Ring.NO_ROOM);
        ring.publish(open);
        assertThat(ring.tryClaim()).isEqualTo(4);
        poller.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPublisherThatSleepsGoesOnWhenTheOpenClaimIsPublished(boolean withALateConsumer) throws Exception {
        RingBuffer<Pair> ring = ring(true);
        long open = ring.claim();
        EventPoller<Pair> poller = withALateConsumer ? ring.newPoller() : null;
        ring.publish(ring.claim(3), 3);
        if (poller != null) {
            poller.poll((event, sequence, end) -> true, 4);
        }
        Thread waiting = Thread.ofPlatform().start(() -> ring.publish(ring.claim()));
        while (waiting.getState() != Thread.State.TIMED_WAITING && waiting.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        ring.publish(open);
        waiting.join();
        assertThat(ring.claimed()).isEqualTo(5);
    }

    @Test
    void aRingIsFollowedFromItsLastConsumerOn() throws Exception {
        RingBuffer<Pair> ring = ring(true);
        try (EventPoller<Pair> poller = ring.newPoller()) {
            for (int i = 0; i < 10; i++) {
                ring.publish(ring.claim());
                poller.poll((event, sequence, end) -> true, 8);
            }
        }
        long open = ring.claim();
        ring.publish(ring.claim(3), 3);
        assertThat(ring.tryClaim()).isEqualTo(Ring.NO_ROOM);
        ring.publish(open);
        assertThat(ring.tryClaim()).isEqualTo(14);
    }

    @Test
    void anObserverOfTwoPublishersSeesWholeEventsInOrderToTheLast() throws Exception {
        RingBuffer<Pair> ring = RingBuffer.forManyPublishers(Pair::new, 8, WaitStrategy.yielding(), WhenFull.WAIT);
        EventObserver<Pair> observer = ring.newObserver();
        AtomicBoolean torn = new AtomicBoolean();
        AtomicLong seen = new AtomicLong();
        List<Thread> publishers = new ArrayList<>();
        for (int id = 1; id <= 2; id++) {
            int mine = id;
            publishers.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < EVENTS; i++) {
                    long sequence = ring.claim();
                    Pair pair = ring.get(sequence);
                    pair.first = mine * sequence;
                    if (i % 64 == 0) {
                        Thread.yield();
                    }
                    pair.second = mine * sequence;
                    ring.publish(sequence);
                }
            }));
        }
        Pair copy = new Pair();
        while (ring.claimed() < 2 * EVENTS || publishers.stream().anyMatch(Thread::isAlive)) {
            poll(observer, copy, torn, seen);
        }
        poll(observer, copy, torn, seen);
        assertThat(torn).isFalse();
        assertThat(observer.next()).isEqualTo(2 * EVENTS);
        assertThat(seen.get() + observer.missed()).isEqualTo(2 * EVENTS);
    }

    private static void poll(EventObserver<Pair> observer, Pair copy, AtomicBoolean torn, AtomicLong seen) {
        while (observer.poll(
                (event, target) -> {
                    target.first = event.first;
                    target.second = event.second;
                },
                copy)) {
            long sequence = observer.next() - 1;
            if (copy.first != copy.second || copy.first != sequence && copy.first != 2 * sequence) {
                torn.set(true);
            }
            seen.incrementAndGet();
        }
    }

    @Test
    void anObserverOfFramesOfTwoPublishersComesToTheLast() throws Exception {
        ValueLayout.OfLong value = ValueLayout.JAVA_LONG_UNALIGNED;
        try (FrameRing ring = FrameRing.forManyPublishers(128, WaitStrategy.yielding())) {
            FrameObserver observer = ring.newObserver();
            List<Thread> publishers = new ArrayList<>();
            for (int id = 0; id < 2; id++) {
                publishers.add(Thread.ofPlatform().start(() -> {
                    for (int i = 0; i < EVENTS; i++) {
                        ring.publishFrame(8, (memory, offset, length, number) -> memory.set(value, offset, number), i);
                    }
                }));
            }
            for (Thread publisher : publishers) {
                while (publisher.isAlive()) {
                    observer.poll((memory, offset, length, target) -> {}, ring);
                }
            }
            boolean more = true;
            while (more) {
                more = observer.poll((memory, offset, length, target) -> {}, ring);
            }
            assertThat(observer.next()).isEqualTo(ring.claimed());
        }
    }

    private static RingBuffer<Pair> ring(boolean many) {
        return many ? RingBuffer.forManyPublishers(Pair::new, 4) : RingBuffer.forOnePublisher(Pair::new, 4);
    }

    private static final class Pair {
        private long first;
        private long second;
    }
}
