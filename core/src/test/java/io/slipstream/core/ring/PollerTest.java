package io.slipstream.core.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.sequencer.MultiSequencer;
import io.slipstream.core.sequencer.Sequencer;
import io.slipstream.core.thread.WaitStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where pollers join, and who waits for them. */
class PollerTest {
    /* A duty that parks when a poll returns 0 must not leave published events unread. */
    @Test
    void aPollPassesAbortedEventsUntilItMeetsAPublishedOne() throws Exception {
        for (boolean one : new boolean[] {true, false}) {
            RingBuffer<int[]> ring = one
                    ? RingBuffer.forOnePublisher(() -> new int[1], 64)
                    : RingBuffer.forManyPublishers(() -> new int[1], 64);
            try (EventPoller<int[]> poller = ring.newPoller()) {
                for (int i = 0; i < 20; i++) {
                    long first = ring.claim();
                    long doomed = ring.claim();
                    ring.abort(first);
                    ring.abort(doomed);
                }
                ring.publish(ring.claim());
                assertThat(poller.poll((event, sequence, end) -> end, 8)).isEqualTo(1);
                assertThat(poller.poll((event, sequence, end) -> end, 8)).isZero();
                assertThat(ring.depth()).isZero();
            }
        }
    }

    @Test
    void aNegativeLimitIsRefused() {
        RingBuffer<int[]> ring = RingBuffer.forOnePublisher(() -> new int[1], 2);
        try (EventPoller<int[]> events = ring.newPoller();
                FrameRing frameRing = new FrameRing(64);
                FramePoller frames = frameRing.newPoller()) {
            assertThatThrownBy(() -> events.poll((event, sequence, end) -> true, -1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the number of events must not be negative, but is -1");
            assertThatThrownBy(() -> frames.poll((memory, offset, length, end) -> {}, -1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the number of frames must not be negative, but is -1");
            assertThatThrownBy(() -> new SmartBatcher<>(frameRing, frames, 0, (memory, offset, bytes) -> bytes))
                    .hasMessageContaining("at least 1 byte");
        }
    }

    @Test
    void aPollerBehindWhichAnotherOneStandsCannotBeClosed() throws Exception {
        RingBuffer<int[]> ring = RingBuffer.forOnePublisher(() -> new int[1], 2);
        EventPoller<int[]> first = ring.newPoller();
        EventPoller<int[]> second = ring.newPoller(first.sequence());
        assertThatThrownBy(first::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another poller is behind");
        ring.publish(ring.claim());
        assertThat(first.poll((event, sequence, end) -> true, 2)).isEqualTo(1);
        assertThat(second.poll((event, sequence, end) -> true, 2)).isEqualTo(1);
        second.close();
        second.close();
        first.close();
        assertThatThrownBy(() -> ring.newPoller(first.sequence()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has ended");
    }

    @Test
    void whoJoinsLooksAgainWhenPublishersWentOnMeanwhile() {
        MultiSequencer sequencer = new MultiSequencer(4);
        Sequence upstream = new Sequence();
        sequencer.addGating(upstream);
        sequencer.publish(sequencer.tryClaim(4), 4);
        List<Long> looks = new ArrayList<>();
        long joined = sequencer.addGatingAt(new Sequence(), oldest -> {
            long position = upstream.getAcquire();
            looks.add(position);
            if (looks.size() == 1) {
                // What the joining one has just seen is overwritten.
                upstream.setRelease(3);
                sequencer.publish(sequencer.tryClaim(1), 1);
            }
            return position;
        });
        assertThat(looks).containsExactly(0L, 3L);
        assertThat(joined).isEqualTo(3);
        upstream.setRelease(5);
        assertThat(sequencer.tryClaim(3)).isEqualTo(Sequencer.NO_ROOM);
        assertThat(sequencer.tryClaim(2)).isEqualTo(5);
    }

    @Test
    void aConsumerThatPublishersWaitForIsNotAddedAgain() {
        RingBuffer<long[]> ring = RingBuffer.forManyPublishers(() -> new long[1], 4);
        Sequence consumer = new Sequence();
        ring.addGating(consumer);
        assertThatThrownBy(() -> ring.addGating(consumer))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("publishers wait for this consumer already");
        assertThat(ring.removeGating(consumer)).isTrue();
        assertThat(ring.removeGating(consumer)).isFalse();
        ring.publish(ring.claim());
        assertThat(ring.addGating(consumer)).isEqualTo(1);
    }

    @Test
    void publishersWaitForNobodyWhoIsAboutToJoin() {
        MultiSequencer sequencer = new MultiSequencer(4);
        Sequence consumer = new Sequence();
        sequencer.addGating(consumer);
        AtomicBoolean isFirst = new AtomicBoolean(true);
        long joined = sequencer.addGatingAt(new Sequence(), oldest -> {
            for (int laps = isFirst.getAndSet(false) ? 10 : 0; laps > 0; laps--) {
                long first = sequencer.tryClaim(4);
                sequencer.publish(first, 4);
                consumer.setRelease(first + 4);
            }
            return sequencer.claimed();
        });
        assertThat(joined).isEqualTo(40);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void publishersWaitForAPollerOfFramesUntilItIsClosed(boolean many) {
        try (FrameRing ring = many
                ? FrameRing.forManyPublishers(64, WaitStrategy.parking())
                : FrameRing.forOnePublisher(64, WaitStrategy.parking())) {
            FramePoller poller = ring.newPoller();
            FramePoller behind = ring.newPoller(poller.sequence());
            while (ring.tryPublishFrame(8, (memory, offset, length, nothing) -> {}, "")) {
                assertThat(poller.poll((memory, offset, length, end) -> {}, 10)).isEqualTo(1);
            }
            assertThat(ring.depth()).isEqualTo(many ? 64 : 48);
            behind.close();
            for (int i = 0; i < 3; i++) {
                ring.publish(ring.claim(8));
            }
            poller.close();
            for (int i = 0; i < 100; i++) {
                ring.publish(ring.claim(8));
            }
        }
    }

    @Test
    void aPollerOfFramesJoinsWhereItsUpstreamIs() {
        try (FrameRing ring = new FrameRing(128)) {
            FramePoller first = ring.newPoller();
            ring.publish(ring.claim(8));
            ring.publish(ring.claim(8));
            assertThat(first.poll((memory, offset, length, end) -> {}, 1)).isEqualTo(1);
            FramePoller second = ring.newPoller(first.sequence());
            assertThat(second.sequence().getAcquire()).isEqualTo(16);
            assertThat(second.poll((memory, offset, length, end) -> {}, 1)).isZero();
            first.poll((memory, offset, length, end) -> {}, 1);
            assertThat(second.poll((memory, offset, length, end) -> {}, 1)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPollerThatWasClosedPollsNoMore(boolean many) throws Exception {
        RingBuffer<long[]> ring = many
                ? RingBuffer.forManyPublishers(() -> new long[1], 4)
                : RingBuffer.forOnePublisher(() -> new long[1], 4);
        EventPoller<long[]> poller = ring.newPoller();
        ring.publish(ring.claim());
        poller.close();
        poller.close();
        for (int i = 0; i < 11; i++) {
            ring.publish(ring.claim());
        }
        String refusal = "the poller was closed, and publishers do not wait for it any more; make a new one";
        assertThatThrownBy(() -> poller.poll((event, sequence, end) -> true, 10))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(refusal);
        assertThatThrownBy(() -> poller.available(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(refusal);
        try (FrameRing frames = many ? new FrameRing(64) : FrameRing.forOnePublisher(128, WaitStrategy.parking())) {
            FramePoller ofFrames = frames.newPoller();
            for (int i = 0; i < 3; i++) {
                frames.publish(frames.claim(8));
            }
            assertThat(ofFrames.poll((memory, offset, length, end) -> {}, 1))
                    .as("and knows of more")
                    .isEqualTo(1);
            ofFrames.close();
            assertThatThrownBy(() -> ofFrames.poll((memory, offset, length, end) -> {}, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(refusal);
            assertThatThrownBy(() -> ofFrames.peekRun(100))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(refusal);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void refusesPositionsWhereNothingIs(boolean many) {
        RingBuffer<long[]> ring = many
                ? RingBuffer.forManyPublishers(() -> new long[1], 16)
                : RingBuffer.forOnePublisher(() -> new long[1], 16);
        Sequence consumer = new Sequence();
        assertThatThrownBy(() -> ring.addGating(consumer, -3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("position -3 is before the beginning; the oldest that a consumer can join at is 0");
        assertThatThrownBy(() -> ring.addGating(consumer, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("position 1 is ahead of all claims, which end at 0; a consumer joins there at the latest");
        assertThatThrownBy(() -> ring.addGating(new Sequence(1000))).isInstanceOf(IllegalArgumentException.class);
        assertThat(consumer.getAcquire()).isZero();
        ring.claim(2);
        ring.addGating(consumer, 2);
        EventPoller<long[]> poller = ring.newPoller();
        assertThatThrownBy(() -> poller.available(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the number of events must not be negative, but is -1");
        assertThat(poller.available(0)).isZero();
    }

    @Test
    void namesTheOldestPositionWhereAConsumerCanJoin() {
        RingBuffer<long[]> ring = RingBuffer.forOnePublisher(() -> new long[1], 8);
        for (int i = 0; i < 20; i++) {
            ring.publish(ring.claim());
        }
        // Event 12 can still be read, but the publisher may write there without looking at who has joined.
        assertThatThrownBy(() -> ring.addGating(new Sequence(), 12)).hasMessageEndingWith("can join at is 13");
        Sequence consumer = new Sequence();
        ring.addGating(consumer, 13);
        assertThat(consumer.getAcquire()).isEqualTo(13);
    }

    @Test
    void refusesAnUpstreamThatNobodyWaitsFor() {
        RingBuffer<long[]> ring = RingBuffer.forOnePublisher(() -> new long[1], 4);
        for (int i = 0; i < 10; i++) {
            ring.publish(ring.claim());
        }
        assertThatThrownBy(() -> ring.newPoller(new Sequence(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("position 1 may be overwritten already");
    }
}
