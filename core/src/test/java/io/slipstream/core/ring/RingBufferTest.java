package io.slipstream.core.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RingBufferTest {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void deliversEventsInTheOrderOfTheirClaims(boolean many) throws Exception {
        RingBuffer<Cell> ring = ring(many, 4, WhenFull.WAIT);
        EventPoller<Cell> poller = ring.newPoller();
        for (int i = 0; i < 10; i++) {
            publish(ring, i);
            publish(ring, i + 100);
            assertThat(poll(poller)).containsExactly((long) i, i + 100L);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void claimsABatchAndShowsItInOneStep(boolean many) throws Exception {
        RingBuffer<Cell> ring = ring(many, 8, WhenFull.WAIT);
        EventPoller<Cell> poller = ring.newPoller();
        long first = ring.claim(3);
        for (int i = 0; i < 3; i++) {
            ring.get(first + i).value = i;
        }
        assertThat(poll(poller)).isEmpty();
        ring.publish(first, 3);
        assertThat(poll(poller)).containsExactly(0L, 1L, 2L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void refusesAClaimWhileThereIsNoRoomAndChangesNothing(boolean many) throws Exception {
        RingBuffer<Cell> ring = ring(many, 2, WhenFull.WAIT);
        EventPoller<Cell> poller = ring.newPoller();
        publish(ring, 1);
        assertThat(ring.tryClaim(2)).isEqualTo(Ring.NO_ROOM);
        publish(ring, 2);
        assertThat(ring.tryClaim()).isEqualTo(Ring.NO_ROOM);
        assertThat(ring.tryClaim(1, Duration.ofMillis(5))).isEqualTo(Ring.NO_ROOM);
        assertThat(ring.depth()).isEqualTo(2);
        assertThat(ring.refused()).isEqualTo(3);
        assertThat(poll(poller)).containsExactly(1L, 2L);
        assertThat(ring.tryClaim(2)).isEqualTo(2);
    }

    @Test
    void assertsThatOnePublisherPublishesInTheOrderOfItsClaims() {
        RingBuffer<Cell> ring = ring(false, 4, WhenFull.WAIT);
        long first = ring.claim(2);
        ring.publish(first + 1);
        assertThatThrownBy(() -> ring.publish(first))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("position 0 was published out of order: published up to 2, claimed up to 2");
        assertThatThrownBy(() -> ring.publish(2)).isInstanceOf(AssertionError.class);
    }

    @Test
    void assertsThatManyPublishersPublishWhatIsClaimedAndNotPublished() throws Exception {
        RingBuffer<Cell> ring = ring(true, 4, WhenFull.WAIT);
        EventPoller<Cell> poller = ring.newPoller();
        assertThatThrownBy(() -> ring.publish(0))
                .isInstanceOf(AssertionError.class)
                .hasMessage("nothing is claimed from 0 to 1, as claims end at 0");
        assertThatThrownBy(() -> ring.publish(-1)).isInstanceOf(AssertionError.class);
        ring.publish(ring.claim(2), 2);
        assertThatThrownBy(() -> ring.publish(1))
                .isInstanceOf(AssertionError.class)
                .hasMessage("what was claimed at 1 was published already");
        ring.claim(2);
        assertThatThrownBy(() -> ring.publish(1, 2)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> ring.publish(2, 0))
                .isInstanceOf(AssertionError.class)
                .hasMessage("a claim at 2 is of at least one event, not 0");
        assertThatThrownBy(() -> ring.publish(3, 2)).isInstanceOf(AssertionError.class);
        ring.publish(2, 2);
        assertThat(poll(poller)).hasSize(4);
        ring.publish(ring.claim());
        assertThatThrownBy(() -> ring.publish(0))
                .as("of the last lap")
                .isInstanceOf(AssertionError.class)
                .hasMessage("what was claimed at 0 was published already");
        assertThat(poll(poller)).hasSize(1);
    }

    @Test
    void whatManyPublishersHavePublishedOrNotClaimedCannotBeAborted() throws Exception {
        RingBuffer<Cell> ring = ring(true, 4, WhenFull.WAIT);
        EventPoller<Cell> poller = ring.newPoller();
        publish(ring, 1);
        assertThatThrownBy(() -> ring.abort(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("what was claimed at 0 was published already, so it cannot be aborted");
        long aborted = ring.claim();
        ring.abort(aborted);
        assertThatThrownBy(() -> ring.abort(aborted)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> ring.abort(2))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("nothing is claimed from 2 to 3, as claims end at 2, so it cannot be aborted");
        assertThatThrownBy(() -> ring.abort(Long.MAX_VALUE, 2))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(" to " + Long.MAX_VALUE + ",");
        publish(ring, 2);
        assertThat(poll(poller)).containsExactly(1L, 2L);
    }

    @Test
    void whatOnePublisherHasNotClaimedOrAbortedAlreadyCannotBeAborted() throws Exception {
        RingBuffer<Cell> ring = ring(false, 4, WhenFull.WAIT);
        EventPoller<Cell> poller = ring.newPoller();
        long aborted = ring.claim();
        ring.abort(aborted);
        assertThatThrownBy(() -> ring.abort(aborted))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("nothing is claimed from 0 to 1, as claims end at 0, so it cannot be aborted; was it "
                        + "aborted already?");
        assertThatThrownBy(() -> ring.abort(3, 2)).isInstanceOf(IllegalStateException.class);
        for (long first : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 1}) {
            assertThatThrownBy(() -> ring.abort(first, 2))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("nothing is claimed");
        }
        assertThatThrownBy(() -> ring.abort(0, 0)).hasMessage("a claim has from 1 to 4 events, not 0");
        publish(ring, 77);
        assertThat(poll(poller)).containsExactly(77L);
        assertThatThrownBy(() -> ring.abort(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("what was claimed at 0 was published already, so it cannot be aborted");
    }

    @Test
    void letsManyPublishersPublishInAnyOrder() throws Exception {
        RingBuffer<Cell> ring = ring(true, 4, WhenFull.WAIT);
        EventPoller<Cell> poller = ring.newPoller();
        long a = ring.claim();
        long b = ring.claim();
        ring.get(b).value = 2;
        ring.publish(b);
        assertThat(poll(poller)).isEmpty();
        ring.get(a).value = 1;
        ring.publish(a);
        assertThat(poll(poller)).containsExactly(1L, 2L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void skipsAbortedEventsAndStillMarksTheEndOfTheBatch(boolean many) throws Exception {
        RingBuffer<Cell> ring = ring(many, 8, WhenFull.WAIT);
        EventPoller<Cell> poller = ring.newPoller();
        long first = ring.claim(4);
        ring.get(first).value = 7;
        ring.publish(first);
        ring.abort(first + 1, 2);
        ring.abort(first + 3);
        List<Boolean> ends = new ArrayList<>();
        assertThat(poller.poll((event, sequence, endOfBatch) -> ends.add(endOfBatch), 8))
                .isEqualTo(1);
        assertThat(ends).containsExactly(true);
        publish(ring, 8);
        assertThat(poll(poller)).containsExactly(8L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void abortsWhatAWriterCouldNotFill(boolean many) throws Exception {
        RingBuffer<Cell> ring = ring(many, 4, WhenFull.WAIT);
        EventPoller<Cell> poller = ring.newPoller();
        assertThatThrownBy(() -> ring.publishEvent(
                        (event, sequence, attachment) -> {
                            throw new IllegalStateException("no");
                        },
                        "x"))
                .hasMessage("no");
        ring.publishEvent((event, sequence, attachment) -> event.value = attachment, 5L);
        assertThat(poll(poller)).containsExactly(5L);
    }

    @Test
    void abortsAClaimThatIsLeftWithoutPublishing() throws Exception {
        RingBuffer<Cell> ring = ring(true, 4, WhenFull.WAIT);
        EventPoller<Cell> poller = ring.newPoller();
        EventClaim<Cell> claims = ring.newClaim();
        try (var claim = claims.claim()) {
            claim.event().value = 1;
        }
        try (var claim = claims.tryClaim()) {
            assertThat(claim).isNotNull();
            claim.event().value = 2;
            claim.publish();
            assertThatThrownBy(claim::event)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("nothing is claimed");
        }
        assertThat(poll(poller)).containsExactly(2L);
        publish(ring, 3);
        publish(ring, 4);
        publish(ring, 5);
        publish(ring, 6);
        assertThat(claims.tryClaim()).isNull();
    }

    @Test
    void followsTheStatedPolicyWhenFull() {
        RingBuffer<Cell> failing = ring(false, 1, WhenFull.FAIL);
        failing.newPoller();
        publish(failing, 1);
        assertThatThrownBy(() -> failing.publishEvent((event, sequence, x) -> event.value = 2, ""))
                .isInstanceOf(RingFullException.class)
                .hasMessageContaining("the ring of 1 events is full");
        RingBuffer<Cell> dropping = ring(true, 1, WhenFull.DROP_NEWEST);
        dropping.newPoller();
        assertThat(dropping.publishEvent((event, sequence, x) -> event.value = 1, ""))
                .isTrue();
        assertThat(dropping.publishEvent((event, sequence, x) -> event.value = 2, ""))
                .isFalse();
        assertThat(dropping.dropped()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void failsPublishersWithTheReasonOnceAConsumerIsDead(boolean many) throws Exception {
        RingBuffer<Cell> ring = ring(many, 2, WhenFull.WAIT);
        ring.newPoller();
        publish(ring, 1);
        publish(ring, 2);
        Thread waiting = Thread.ofPlatform()
                .start(() -> assertThatThrownBy(ring::claim)
                        .isInstanceOf(RingFailedException.class)
                        .hasMessage("disk on fire"));
        while (ring.refused() == 0) {
            Thread.onSpinWait();
        }
        ring.fail("disk on fire", new IllegalStateException("cause"));
        waiting.join();
        assertThatThrownBy(ring::tryClaim)
                .isInstanceOf(RingFailedException.class)
                .hasMessage("disk on fire")
                .hasRootCauseMessage("cause");
        assertThat(ring.failure()).isEqualTo("disk on fire");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anObserverNeverHoldsPublishersUpAndCountsWhatItMissed(boolean many) {
        RingBuffer<Cell> ring = ring(many, 8, WhenFull.WAIT);
        EventObserver<Cell> observer = ring.newObserver();
        Cell copy = new Cell();
        publish(ring, 1);
        assertThat(observer.poll((event, target) -> target.value = event.value, copy))
                .isTrue();
        assertThat(copy.value).isEqualTo(1);
        for (int i = 2; i <= 100; i++) {
            publish(ring, i);
        }
        long seen = 0;
        long last = 1;
        while (observer.poll((event, target) -> target.value = event.value, copy)) {
            assertThat(copy.value).isGreaterThan(last);
            last = copy.value;
            seen++;
        }
        assertThat(last).isEqualTo(100);
        assertThat(seen).isGreaterThanOrEqualTo(5);
        assertThat(seen + observer.missed()).isEqualTo(99);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aConsumerThatJoinsSeesEverythingFromItsPositionOn(boolean many) throws Exception {
        RingBuffer<Cell> ring = ring(many, 4, WhenFull.WAIT);
        EventPoller<Cell> first = ring.newPoller();
        publish(ring, 0);
        publish(ring, 1);
        EventPoller<Cell> second = ring.newPoller();
        assertThat(second.sequence().getAcquire()).isEqualTo(2);
        publish(ring, 2);
        assertThat(poll(first)).containsExactly(0L, 1L, 2L);
        publish(ring, 3);
        publish(ring, 4);
        publish(ring, 5);
        assertThat(poll(first)).containsExactly(3L, 4L, 5L);
        assertThat(ring.tryClaim()).isEqualTo(Ring.NO_ROOM);
        assertThat(poll(second)).containsExactly(2L, 3L, 4L, 5L);
        second.close();
        publish(ring, 6);
    }

    @Test
    void saysWhatIsWrongWithACapacityOrACount() {
        assertThatThrownBy(() -> ring(true, 0, WhenFull.WAIT)).hasMessage("a ring has from 1 to 2^30 events, not 0");
        assertThatThrownBy(() -> ring(true, 3, WhenFull.WAIT).claim(5))
                .hasMessage("a claim has from 1 to 4 events, not 5");
    }

    @Test
    void keepsAnInterruptOfAWaitingPublisherForLater() throws Exception {
        RingBuffer<Cell> ring = ring(false, 1, WhenFull.WAIT);
        EventPoller<Cell> poller = ring.newPoller();
        publish(ring, 1);
        boolean[] interrupted = {false};
        Thread publisher = Thread.ofPlatform().start(() -> {
            publish(ring, 2);
            interrupted[0] = Thread.currentThread().isInterrupted();
        });
        publisher.interrupt();
        while (ring.refused() == 0) {
            Thread.onSpinWait();
        }
        assertThat(poll(poller)).containsExactly(1L);
        publisher.join();
        assertThat(interrupted[0]).isTrue();
        assertThat(poll(poller)).containsExactly(2L);
    }

    /* This thread may come too late to make room; the longer the publisher sleeps, the less likely it is. */
    @Test
    void aTimedClaimLooksOnceMoreAfterItsLastSleep() {
        Duration limit = Duration.ofMillis(50);
        while (claimWhileRoomComes(limit) != 1) {
            limit = limit.multipliedBy(2);
            assertThat(limit).isLessThan(Await.PATIENCE);
        }
    }

    /** Returns what a claim gets, if there is room once it sleeps. */
    private static long claimWhileRoomComes(Duration limit) {
        long hourNanos = Duration.ofHours(1).toNanos();
        RingBuffer<Cell> ring = RingBuffer.forOnePublisher(
                Cell::new, 1, new WaitStrategy(0, 0, hourNanos, hourNanos, true), WhenFull.WAIT);
        Sequence consumer = new Sequence();
        ring.addGating(consumer);
        publish(ring, 1);
        long[] claimed = {Ring.NO_ROOM};
        Thread publisher = Thread.ofPlatform().start(() -> claimed[0] = ring.tryClaim(1, limit));
        while (publisher.isAlive()) {
            if (publisher.getState() == Thread.State.TIMED_WAITING) {
                // Nothing wakes the publisher, which sleeps until its time is over.
                consumer.setRelease(1);
            }
            Thread.onSpinWait();
        }
        return claimed[0];
    }

    static final class Cell {
        long value;
    }

    private static RingBuffer<Cell> ring(boolean many, int capacity, WhenFull whenFull) {
        return many
                ? RingBuffer.forManyPublishers(Cell::new, capacity, WaitStrategy.parking(), whenFull)
                : RingBuffer.forOnePublisher(Cell::new, capacity, WaitStrategy.parking(), whenFull);
    }

    private static void publish(RingBuffer<Cell> ring, long value) {
        long sequence = ring.claim();
        ring.get(sequence).value = value;
        ring.publish(sequence);
    }

    private static List<Long> poll(EventPoller<Cell> poller) throws Exception {
        List<Long> values = new ArrayList<>();
        poller.poll((event, sequence, endOfBatch) -> values.add(event.value), 100);
        return values;
    }
}
