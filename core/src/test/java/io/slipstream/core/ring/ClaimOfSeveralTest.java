package io.slipstream.core.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.thread.WaitStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several events in one claim, and in one publication. */
class ClaimOfSeveralTest {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void claimsSeveralEventsForOneBlock(boolean many) throws Exception {
        RingBuffer<long[]> ring = ring(many, WhenFull.WAIT);
        EventPoller<long[]> poller = ring.newPoller();
        EventClaim<long[]> claims = ring.newClaim();
        try (var claim = claims.claim(3)) {
            assertThat(claim.count()).isEqualTo(3);
            for (int i = 0; i < claim.count(); i++) {
                claim.event(i)[0] = i + 10;
            }
            assertThatThrownBy(() -> claims.event(3)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThat(poll(poller)).isEmpty();
            claim.publish();
        }
        assertThat(poll(poller)).containsExactly(10L, 11L, 12L);
        try (var claim = claims.tryClaim(4)) {
            assertThat(claim).isNotNull();
        }
        assertThat(poll(poller)).isEmpty();
        ring.publish(ring.claim(2), 2);
        assertThat(claims.tryClaim(3)).isNull();
        assertThat(claims.tryClaim(3, Duration.ofMillis(1))).isNull();
        assertThatThrownBy(() -> claims.claim(5)).hasMessageContaining("from 1 to 4 events, not 5");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void publishesAnEventForEachAttachmentInOneStep(boolean many) throws Exception {
        RingBuffer<long[]> ring = ring(many, WhenFull.DROP_NEWEST);
        EventPoller<long[]> poller = ring.newPoller();
        EventWriter<long[], Long> writer = (event, sequence, value) -> {
            assertThat(poller.available(4)).isZero();
            event[0] = value;
        };
        assertThat(ring.publishEvents(writer, new Long[] {1L, 2L, 3L})).isTrue();
        assertThat(ring.publishEvents(writer, new Long[] {4L, 5L})).isFalse();
        assertThat(ring.dropped()).isEqualTo(2);
        assertThat(ring.tryPublishEvents(writer, new Long[] {4L, 5L})).isFalse();
        assertThat(poll(poller)).containsExactly(1L, 2L, 3L);
        assertThat(ring.tryPublishEvents(writer, new Long[] {4L, 5L})).isTrue();
        assertThat(poll(poller)).containsExactly(4L, 5L);
        assertThatThrownBy(() -> ring.publishEvents(writer, new Long[0])).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void abortsAllOfThemIfOneCannotBeFilled(boolean many) throws Exception {
        RingBuffer<long[]> ring = ring(many, WhenFull.WAIT);
        EventPoller<long[]> poller = ring.newPoller();
        assertThatThrownBy(() ->
                        ring.publishEvents((event, sequence, value) -> event[0] = 10 / value, new Integer[] {1, 0, 2}))
                .isInstanceOf(ArithmeticException.class);
        ring.publishEvents((event, sequence, value) -> event[0] = value, new Integer[] {7});
        assertThat(poll(poller)).containsExactly(7L);
    }

    private static RingBuffer<long[]> ring(boolean many, WhenFull whenFull) {
        return many
                ? RingBuffer.forManyPublishers(() -> new long[1], 4, WaitStrategy.parking(), whenFull)
                : RingBuffer.forOnePublisher(() -> new long[1], 4, WaitStrategy.parking(), whenFull);
    }

    private static List<Long> poll(EventPoller<long[]> poller) throws Exception {
        List<Long> values = new ArrayList<>();
        poller.poll((event, sequence, end) -> values.add(event[0]), 100);
        return values;
    }
}
