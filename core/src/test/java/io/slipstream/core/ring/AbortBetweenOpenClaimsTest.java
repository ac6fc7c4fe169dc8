package io.slipstream.core.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.thread.WaitStrategy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * One publisher has several claims open and gives one up that is not the oldest: the older ones must stay invisible.
 */
class AbortBetweenOpenClaimsTest {
    private final List<String> seen = new ArrayList<>();

    @Test
    void anAbortedEventShowsNoneThatIsOpenBeforeIt() throws Exception {
        RingBuffer<String[]> ring = RingBuffer.forOnePublisher(() -> new String[1], 8);
        try (EventPoller<String[]> poller = ring.newPoller()) {
            long a = ring.claim();
            long b = ring.claim();
            long c = ring.claim();
            ring.abort(b);
            assertThat(poller.available(8)).isZero();
            assertThatIllegalStateException().isThrownBy(() -> ring.abort(b)).withMessageContaining("aborted already");
            ring.get(a)[0] = "a";
            ring.publish(a);
            poll(poller);
            ring.get(c)[0] = "c";
            ring.publish(c);
            poll(poller);
            assertThat(seen).containsExactly("a", "c");
        }
    }

    @Test
    void anAbortedFrameShowsNoneThatIsOpenBeforeIt() {
        try (FrameRing ring = FrameRing.forOnePublisher(256, WaitStrategy.parking());
                FramePoller poller = ring.newPoller()) {
            FrameObserver observer = ring.newObserver();
            long a = ring.claim(8);
            long b = ring.claim(8);
            long c = ring.claim(8);
            ring.abort(b);
            assertThat(poll(poller)).isZero();
            assertThat(observer.poll((memory, offset, length, target) -> {}, seen))
                    .isFalse();
            assertThatIllegalStateException()
                    .isThrownBy(() -> ring.abort(b))
                    .withMessageContaining("cannot be aborted");
            ring.publish(a);
            assertThat(poll(poller)).isEqualTo(1);
            assertThat(observer.poll((memory, offset, length, target) -> {}, seen))
                    .isTrue();
            ring.publish(c);
            assertThat(poll(poller)).isEqualTo(1);
            assertThat(observer.poll((memory, offset, length, target) -> {}, seen))
                    .isTrue();
            assertThat(observer.poll((memory, offset, length, target) -> {}, seen))
                    .isFalse();
            assertThat(ring.depth()).isZero();
        }
    }

    @Test
    void aFrameBehindPaddingIsAbortedWhileOneBeforeItIsOpen() {
        try (FrameRing ring = FrameRing.forOnePublisher(256, WaitStrategy.parking());
                FramePoller poller = ring.newPoller()) {
            long next = 0;
            while (next < 192) {
                ring.publish(ring.claim(8));
                next += 16;
            }
            assertThat(poll(poller)).isEqualTo(12);
            long a = ring.claim(8);
            long wrapped = ring.claim(64);
            assertThat(ring.offset(wrapped)).isZero();
            ring.abort(wrapped);
            assertThat(poll(poller)).isZero();
            ring.publish(a);
            assertThat(poll(poller)).isEqualTo(1);
            ring.publish(ring.claim(8));
            assertThat(poll(poller)).isEqualTo(1);
            assertThat(ring.depth()).isZero();
        }
    }

    /* Where nobody consumes, room is made by what is published: claims given up between others must count as such. */
    @Test
    void aRingThatNobodyConsumesGoesOnAfterAbortsBetweenOpenClaims() {
        RingBuffer<String[]> events = RingBuffer.forOnePublisher(() -> new String[1], 4);
        try (FrameRing frames = FrameRing.forOnePublisher(128, WaitStrategy.parking())) {
            for (int i = 0; i < 100; i++) {
                long a = events.tryClaim();
                long b = events.tryClaim();
                assertThat(b).as("second claim of round %d", i).isNotNegative();
                events.abort(b);
                events.publish(a);
                long frame = frames.tryClaim(Frame.HEADER_BYTES);
                long doomed = frames.tryClaim(Frame.HEADER_BYTES);
                assertThat(doomed).as("second frame of round %d", i).isNotNegative();
                frames.abort(doomed);
                frames.publish(frame);
            }
            assertThat(frames.claimed()).isEqualTo(3200);
        }
    }

    private void poll(EventPoller<String[]> poller) throws Exception {
        poller.poll((event, sequence, end) -> seen.add(event[0]), 8);
    }

    private static int poll(FramePoller poller) {
        return poller.poll((memory, offset, length, end) -> {}, 100);
    }
}
