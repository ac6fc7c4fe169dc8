package io.slipstream.core.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.frame.FrameHandler;
import io.slipstream.core.thread.Duty;
import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.core.thread.Worker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameRingTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    @Test
    void deliversFramesInTheOrderOfTheirClaimsWhateverTheOrderOfPublication() {
        try (FrameRing ring = new FrameRing(1024)) {
            FramePoller poller = ring.newPoller();
            long first = claim(ring, 1);
            long second = claim(ring, 2);
            ring.publish(second);
            assertThat(pollLongs(poller)).isEmpty();
            ring.publish(first);
            assertThat(pollLongs(poller)).containsExactly(1L, 2L);
        }
    }

    @Test
    void skipsAbortedClaims() {
        try (FrameRing ring = new FrameRing(1024)) {
            FramePoller poller = ring.newPoller();
            long first = claim(ring, 1);
            ring.publish(claim(ring, 2));
            ring.abort(first);
            assertThat(pollLongs(poller)).containsExactly(2L);
        }
    }

    @Test
    void refusesAClaimWhileThereIsNoRoomAndAcceptsItOnceThereIs() {
        try (FrameRing ring = new FrameRing(64)) {
            FramePoller poller = ring.newPoller();
            for (int i = 0; i < 4; i++) {
                ring.publish(claim(ring, i));
            }
            assertThat(ring.tryClaim(8)).isEqualTo(FrameRing.NO_ROOM);
            assertThat(ring.depth()).isEqualTo(64);
            assertThat(pollLongs(poller)).containsExactly(0L, 1L, 2L, 3L);
            assertThat(ring.depth()).isZero();
            assertThat(ring.tryClaim(8)).isEqualTo(64);
        }
    }

    @Test
    void makesPublishersWaitForItsPollerAndTakesALimitOfAnyLength() {
        try (FrameRing ring = FrameRing.forOnePublisher(64, WaitStrategy.yielding())) {
            ring.publish(ring.claim(0));
            FramePoller poller = ring.newPoller();
            for (int i = 0; i < 3; i++) {
                ring.publish(ring.tryClaim(0, Duration.ofSeconds(Long.MAX_VALUE)));
            }
            assertThat(ring.tryClaim(0, Duration.ofSeconds(Long.MIN_VALUE))).isEqualTo(FrameRing.NO_ROOM);
            assertThat(poller.poll((memory, offset, length, endOfBatch) -> {}, 10))
                    .isEqualTo(3);
            assertThat(ring.tryClaim(0)).isNotEqualTo(FrameRing.NO_ROOM);
        }
    }

    @Test
    void refusesAMessageThatCanNeverFit() {
        try (FrameRing ring = new FrameRing(1024)) {
            assertThatThrownBy(() -> ring.tryClaim(505))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a message has from 0 to 504 bytes, not 505");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void followsTheStatedPolicyWhenFull(boolean many) {
        try (FrameRing failing = ring(many, 64, WhenFull.FAIL);
                FrameRing dropping = ring(many, 64, WhenFull.DROP_NEWEST)) {
            failing.newPoller();
            dropping.newPoller();
            while (failing.tryPublishFrame(8, FrameRingTest::writeLong, 1L)) {
                assertThat(dropping.publishFrame(8, FrameRingTest::writeLong, 1L))
                        .isTrue();
            }
            assertThatThrownBy(() -> failing.publishFrame(8, FrameRingTest::writeLong, 2L))
                    .isInstanceOf(RingFullException.class)
                    .hasMessageStartingWith("the ring of 64 bytes is full");
            assertThat(dropping.publishFrame(8, FrameRingTest::writeLong, 2L)).isFalse();
            assertThat(dropping.publishFrame(0, FrameRingTest::writeLong, 2L)).isFalse();
            assertThat(dropping.dropped()).isEqualTo(2);
            assertThat(failing.dropped()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void waitsForRoomIfThatIsThePolicy(boolean many) throws Exception {
        try (FrameRing ring = ring(many, 64, WhenFull.WAIT)) {
            FramePoller poller = ring.newPoller();
            int frames = 0;
            while (ring.tryPublishFrame(8, FrameRingTest::writeLong, 1L)) {
                frames++;
            }
            long refused = ring.refused();
            Thread publisher = Thread.ofPlatform().start(() -> ring.publishFrame(8, FrameRingTest::writeLong, 2L));
            while (ring.refused() == refused) {
                Thread.onSpinWait();
            }
            assertThat(pollLongs(poller)).hasSize(frames).containsOnly(1L);
            publisher.join();
            assertThat(pollLongs(poller)).containsExactly(2L);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void abortsTheFrameOfAWriterThatThrows(boolean many) {
        try (FrameRing ring = ring(many, 256, WhenFull.WAIT)) {
            FramePoller poller = ring.newPoller();
            assertThatThrownBy(() -> ring.publishFrame(
                            8,
                            (memory, offset, length, value) -> {
                                throw new IllegalStateException(value);
                            },
                            "no"))
                    .hasMessage("no");
            ring.publishFrame(8, FrameRingTest::writeLong, 3L);
            assertThat(pollLongs(poller)).containsExactly(3L);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anObserverThatWasOverrunGoesOnAtAFrameThatIsLeft(boolean many) {
        try (FrameRing ring = ring(many, 256, WhenFull.WAIT)) {
            FrameObserver observer = ring.newObserver();
            long[] copy = new long[1];
            assertThat(observer.poll(FrameRingTest::copyLong, copy)).isFalse();
            ring.publishFrame(8, FrameRingTest::writeLong, 0L);
            assertThat(observer.poll(FrameRingTest::copyLong, copy)).isTrue();
            for (long i = 1; i <= 1_000; i++) {
                ring.publishFrame(8, FrameRingTest::writeLong, i);
            }
            List<Long> values = new ArrayList<>();
            while (observer.poll(FrameRingTest::copyLong, copy)) {
                values.add(copy[0]);
            }
            assertThat(values).isSorted().endsWith(1_000L).hasSizeGreaterThanOrEqualTo(8);
            assertThat(observer.missedBytes() + 16L * values.size()).isEqualTo(16_000);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void publishesClaimsThatWereOpenAtTheSameTime(boolean many) {
        try (FrameRing ring = ring(many, 256, WhenFull.WAIT)) {
            FramePoller poller = ring.newPoller();
            for (int lap = 0; lap < 20; lap++) {
                long first = claim(ring, 1);
                long second = ring.tryClaim(60);
                long third = claim(ring, 3);
                ring.publish(first);
                assertThat(pollLongs(poller)).containsExactly(1L);
                ring.abort(second);
                assertThat(pollLongs(poller)).isEmpty();
                ring.publish(third);
                assertThat(pollLongs(poller)).containsExactly(3L);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void findsRoomForTheLargestMessageWhereverTheRingStands(boolean many) {
        try (FrameRing ring = ring(many, 4096, WhenFull.WAIT)) {
            FramePoller poller = ring.newPoller();
            for (int i = 0; i < 600; i++) {
                ring.publish(claim(ring, i));
                assertThat(pollLongs(poller)).containsExactly((long) i);
                ring.abort(ring.tryClaim(ring.maxMessageLength()));
                assertThat(pollLongs(poller)).isEmpty();
            }
        }
    }

    @Test
    void showsFramesAcrossTheEndOfTheRingThatTheNextPollHandsOut() {
        try (FrameRing ring = new FrameRing(256)) {
            FramePoller poller = ring.newPoller();
            assertThat(poller.peek((memory, offset, length, endOfBatch) -> {}, 4))
                    .isZero();
            for (int i = 0; i < 100; i++) {
                ring.publish(claim(ring, 3 * i));
                ring.abort(ring.tryClaim(40));
                ring.publish(claim(ring, 3 * i + 1));
                if (i % 2 == 0) {
                    ring.abort(ring.tryClaim(8));
                }
                ring.publish(claim(ring, 3 * i + 2));
                long before = poller.sequence().getPlain();
                assertThat(peekLongs(poller, 0)).isEmpty();
                assertThat(peekLongs(poller, 2)).containsExactly(3L * i, 3L * i + 1);
                assertThat(peekLongs(poller, 9)).containsExactly(3L * i, 3L * i + 1, 3L * i + 2);
                assertThat(poller.sequence().getPlain()).isEqualTo(before);
                assertThat(pollLongs(poller)).containsExactly(3L * i, 3L * i + 1, 3L * i + 2);
                assertThat(peekLongs(poller, 9)).isEmpty();
            }
        }
    }

    /** The last one that is shown is told to be the last. */
    private static List<Long> peekLongs(FramePoller poller, int limit) {
        List<Long> shown = new ArrayList<>();
        List<Boolean> ends = new ArrayList<>();
        int count = poller.peek(
                (memory, offset, length, endOfBatch) -> {
                    shown.add(memory.get(LONG, offset + Frame.HEADER_BYTES));
                    ends.add(endOfBatch);
                },
                limit);
        assertThat(shown).hasSize(count);
        assertThat(ends.indexOf(true)).isEqualTo(count - 1);
        return shown;
    }

    @Test
    void showsAContiguousRunAndKeepsItUntilItIsReleased() {
        try (FrameRing ring = new FrameRing(128)) {
            FramePoller journal = ring.newPoller();
            FramePoller logic = ring.newPoller(journal.sequence());
            ring.publish(claim(ring, 1));
            ring.publish(claim(ring, 2));
            assertThat(journal.peekRun(1 << 20)).isEqualTo(32);
            assertThat(journal.peekRun(1)).isEqualTo(16);
            assertThat(pollLongs(logic)).isEmpty();
            journal.release(32);
            assertThat(pollLongs(logic)).containsExactly(1L, 2L);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatWasPublishedCannotBeAborted(boolean many) {
        try (FrameRing ring = ring(many, 128, WhenFull.WAIT)) {
            FramePoller poller = ring.newPoller();
            long position = claim(ring, 1);
            ring.publish(position);
            assertThatThrownBy(() -> ring.abort(position))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the frame at 0 was published already, so it cannot be aborted");
            ring.publish(claim(ring, 2));
            assertThat(pollLongs(poller)).containsExactly(1L, 2L);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsNotClaimedIsNeitherPublishedNorAborted(boolean many) {
        try (FrameRing ring = ring(many, 128, WhenFull.WAIT)) {
            FramePoller poller = ring.newPoller();
            assertThatThrownBy(() -> ring.publish(0)).isInstanceOf(AssertionError.class);
            assertThatThrownBy(() -> ring.abort(0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the frame at 0 is not claimed, so it cannot be aborted");
            assertThatThrownBy(() -> ring.abort(-16)).isInstanceOf(IllegalStateException.class);
            long aborted = claim(ring, 1);
            ring.abort(aborted);
            assertThatThrownBy(() -> ring.abort(aborted)).isInstanceOf(IllegalStateException.class);
            long position = claim(ring, 2);
            ring.publish(position);
            assertThatThrownBy(() -> ring.publish(position)).isInstanceOf(AssertionError.class);
            assertThat(pollLongs(poller)).containsExactly(2L);
            for (int i = 0; i < 6; i++) {
                ring.publish(claim(ring, i));
                assertThat(pollLongs(poller)).containsExactly((long) i);
            }
            assertThatThrownBy(() -> ring.publish(position))
                    .as("of the last lap")
                    .isInstanceOf(AssertionError.class);
            assertThatThrownBy(() -> ring.abort(position))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the frame at " + position + " was published already, so it cannot be aborted");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void publishersThatWaitForRoomFailWhenTheRingIsClosed(boolean many) throws Exception {
        FrameRing ring = ring(many, 64, WhenFull.WAIT);
        ring.newPoller();
        while (ring.tryClaim(8) >= 0) {
            Thread.onSpinWait();
        }
        List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
        Thread publisher = Thread.ofPlatform().start(() -> {
            try {
                ring.claim(8);
            } catch (RuntimeException e) {
                thrown.add(e);
            }
        });
        while (publisher.getState() != Thread.State.TIMED_WAITING && publisher.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        ring.close();
        publisher.join();
        assertThat(thrown)
                .singleElement()
                .isInstanceOf(RingFailedException.class)
                .extracting(Throwable::getMessage)
                .isEqualTo("the ring was closed");
        assertThatThrownBy(() -> ring.claim(8))
                .isInstanceOf(RingFailedException.class)
                .hasMessage("the ring was closed");
        assertThatThrownBy(() -> ring.memory().get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
        assertThat(ring.failure()).isEqualTo("the ring was closed");
        ring.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void publishersNeverMeetFreedMemoryInAClaim(boolean many) throws Exception {
        for (int round = 0; round < 20; round++) {
            FrameRing ring = ring(many, 1 << 12, WhenFull.WAIT);
            CountDownLatch publishing = new CountDownLatch(1);
            Throwable[] thrown = {null};
            Thread publisher = Thread.ofPlatform().start(() -> {
                try {
                    while (true) {
                        ring.publish(ring.claim(8, 4), 8, 4);
                        publishing.countDown();
                    }
                } catch (Throwable e) {
                    thrown[0] = e;
                }
            });
            publishing.await();
            ring.close();
            publisher.join();
            assertThat(thrown[0]).isInstanceOfAny(RingFailedException.class, IllegalStateException.class);
            if (thrown[0] instanceof IllegalStateException) {
                assertThat(thrown[0].getStackTrace())
                        .as("thrown by the publication")
                        .noneMatch(frame -> frame.getMethodName().equals("claim"));
            }
        }
    }

    @Test
    void aThrowingHandlerLosesOnlyTheFrameThatItThrewOn() {
        try (FrameRing ring = new FrameRing(128)) {
            FramePoller poller = ring.newPoller();
            ring.publish(claim(ring, 1));
            ring.publish(claim(ring, 2));
            assertThatThrownBy(() -> poller.poll(
                            (memory, offset, length, endOfBatch) -> {
                                throw new IllegalStateException("no");
                            },
                            10))
                    .hasMessage("no");
            assertThat(pollLongs(poller)).containsExactly(2L);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 256, 4096})
    void carriesEveryFrameOfTwoPublishersWholeAndInOrderThroughTwoStages(int capacity) throws Exception {
        int perPublisher = 20_000;
        try (FrameRing ring = new FrameRing(capacity)) {
            FramePoller first = ring.newPoller();
            FramePoller second = ring.newPoller(first.sequence());
            Signal signal = new Signal();
            ring.addSignal(signal);
            Checker checker = new Checker();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Duty pass = () -> {
                int bytes = first.peekRun(1 << 16);
                first.release(bytes);
                return bytes;
            };
            Duty check = () -> second.poll(checker, 64);
            try (Worker worker =
                    new Worker("stages", WaitStrategy.parking(), signal, List.of(pass, check), failure::set)) {
                worker.start();
                Thread a = publisher(ring, 0, perPublisher);
                Thread b = publisher(ring, 1, perPublisher);
                a.join();
                b.join();
                while (checker.seen < 2L * perPublisher && worker.isAlive()) {
                    Thread.onSpinWait();
                }
            }
            assertThat(failure.get()).isNull();
            assertThat(checker.seen).isEqualTo(2L * perPublisher);
        }
    }

    private static Thread publisher(FrameRing ring, int id, int count) {
        int longest = Math.min(64, ring.maxMessageLength()) / 8;
        return Thread.ofPlatform().start(() -> {
            SplittableRandom random = new SplittableRandom(id);
            for (int i = 0; i < count; i++) {
                int longs = random.nextInt(1, longest + 1);
                long position = ring.claim(8 * longs);
                long message = ring.offset(position) + Frame.HEADER_BYTES;
                for (int k = 0; k < longs; k++) {
                    ring.memory().set(LONG, message + 8L * k, ((long) id << 32) + i);
                }
                ring.publish(position);
            }
        });
    }

    private static FrameRing ring(boolean many, int capacity, WhenFull whenFull) {
        return many
                ? FrameRing.forManyPublishers(capacity, WaitStrategy.parking(), whenFull)
                : FrameRing.forOnePublisher(capacity, WaitStrategy.parking(), whenFull);
    }

    private static void writeLong(MemorySegment memory, long offset, int length, long value) {
        if (length == 8) {
            memory.set(LONG, offset, value);
        }
    }

    private static void copyLong(MemorySegment memory, long offset, int length, long[] target) {
        target[0] = memory.get(LONG, offset + Frame.HEADER_BYTES);
    }

    private static long claim(FrameRing ring, long value) {
        long position = ring.tryClaim(8);
        ring.memory().set(LONG, ring.offset(position) + Frame.HEADER_BYTES, value);
        return position;
    }

    private static List<Long> pollLongs(FramePoller poller) {
        List<Long> values = new ArrayList<>();
        poller.poll(
                (memory, offset, length, endOfBatch) -> values.add(memory.get(LONG, offset + Frame.HEADER_BYTES)),
                1000);
        return values;
    }

    /** Checks that each publisher's frames come whole, in order and once. */
    private static final class Checker implements FrameHandler {
        private final long[] expected = new long[2];
        private volatile long seen;

        @Override
        public void onFrame(MemorySegment memory, long offset, int length, boolean endOfBatch) {
            long value = memory.get(LONG, offset + Frame.HEADER_BYTES);
            int id = (int) (value >>> 32);
            if ((int) value != expected[id]++) {
                throw new AssertionError("publisher " + id + ": " + (int) value + " after " + (expected[id] - 2));
            }
            for (int at = Frame.HEADER_BYTES; at < length; at += 8) {
                if (memory.get(LONG, offset + at) != value) {
                    throw new AssertionError("torn frame of publisher " + id);
                }
            }
            seen = expected[0] + expected[1];
        }
    }
}
