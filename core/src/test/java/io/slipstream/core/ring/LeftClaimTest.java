package io.slipstream.core.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.sequencer.MultiSequencer;
import io.slipstream.core.thread.WaitStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * What is claimed by a thread that runs out of stack before it has ended its claim, and is left to others: here it is
 * marked as that thread does at the end of its stack, one assignment at a time. {@link DeepStackTest} has such threads.
 */
class LeftClaimTest {
    private static final int SLOT = Frame.ALIGNMENT;
    private static final int LAPS = 5;

    private final RingBuffer<long[]> events =
            RingBuffer.forManyPublishers(() -> new long[1], 8, WaitStrategy.parking(), WhenFull.FAIL);
    private final FrameRing frames = FrameRing.forManyPublishers(16 * SLOT, WaitStrategy.parking(), WhenFull.FAIL);

    @Test
    void aFrameIsSkipped() {
        FramePoller poller = frames.newPoller();
        for (int i = 0; i < LAPS * 16; i++) {
            long position = frames.claim(3 * SLOT - Frame.HEADER_BYTES);
            leaveFrame(position, 3);
            publishFrame(i);
            assertThat(polled(poller)).as("%d", i).containsExactly(i);
        }
    }

    @Test
    void severalFramesSideBySideAreSkippedAtOnce() {
        FramePoller poller = frames.newPoller();
        for (int i = 0; i < LAPS * 16; i++) {
            long first = frames.claim(2 * SLOT - Frame.HEADER_BYTES);
            long second = frames.claim(SLOT - Frame.HEADER_BYTES);
            long third = frames.claim(2 * SLOT - Frame.HEADER_BYTES);
            publishFrame(i);
            leaveFrame(third, 2);
            leaveFrame(first, 2);
            assertThat(polled(poller)).as("%d, before the second is left", i).isEmpty();
            leaveFrame(second, 1);
            assertThat(polled(poller)).as("%d", i).containsExactly(i);
        }
    }

    /** The padding was not published: the claim goes over the end of the memory, and what is closed does not. */
    @Test
    void aFrameBehindPaddingIsSkippedWithThat() {
        FramePoller poller = frames.newPoller();
        long lap = 0;
        for (int i = 0; i < LAPS; i++) {
            while (frames.claimed() < lap + 14L * SLOT) {
                publishFrame(-1);
            }
            assertThat(polled(poller)).as("lap %d", i).isNotEmpty().containsOnly(-1);
            // As tryClaim does it for a frame of three slots where two are left: both are padding.
            assertThat(sequencer().tryAdvance(lap + 14L * SLOT, lap + 19L * SLOT))
                    .isTrue();
            publishFrame(i);
            leaveFrame(lap + 14L * SLOT, 5);
            assertThat(polled(poller)).as("lap %d", i).containsExactly(i);
            lap += 16L * SLOT;
        }
    }

    @Test
    void aFrameWhosePaddingWasPublishedIsSkipped() {
        FramePoller poller = frames.newPoller();
        for (int i = 0; i < LAPS; i++) {
            while (frames.offset(frames.claimed()) != 14L * SLOT) {
                publishFrame(-1);
                assertThat(polled(poller)).containsExactly(-1);
            }
            long position = frames.claim(3 * SLOT - Frame.HEADER_BYTES);
            assertThat(frames.offset(position)).isZero();
            leaveFrame(position, 3);
            publishFrame(i);
            assertThat(polled(poller)).as("lap %d", i).containsExactly(i);
        }
    }

    @Test
    void framesOfARingWithoutConsumersDoNotHoldUpPublishers() {
        for (int i = 0; i < LAPS * 16; i++) {
            long position = frames.tryClaim(SLOT - Frame.HEADER_BYTES);
            assertThat(position).as("%d", i).isNotNegative();
            leaveFrame(position, 1);
            assertThat(frames.tryPublishFrame(8, (memory, offset, length, value) -> {}, ""))
                    .as("%d", i)
                    .isTrue();
        }
        assertThat(frames.claimed()).isEqualTo(LAPS * 32L * SLOT);
    }

    @Test
    void aFrameThatIsNotLeftHoldsUpAsBefore() {
        FramePoller poller = frames.newPoller();
        long open = frames.claim(8);
        long left = frames.claim(8);
        leaveFrame(left, 1);
        publishFrame(1);
        assertThat(polled(poller)).isEmpty();
        frames.abort(open);
        assertThat(polled(poller)).containsExactly(1);
    }

    @Test
    void anEventIsSkipped() throws Exception {
        EventPoller<long[]> poller = events.newPoller();
        for (int i = 0; i < LAPS * 8; i++) {
            long sequence = events.claim();
            leave(sequence, 1);
            publishEvent(i);
            assertThat(polled(poller)).as("%d", i).containsExactly((long) i);
        }
    }

    @Test
    void twoConsumersSkipTheSameEvents() throws Exception {
        EventPoller<long[]> first = events.newPoller();
        EventPoller<long[]> second = events.newPoller();
        for (int i = 0; i < LAPS * 8; i++) {
            leave(events.claim(3), 3);
            publishEvent(i);
            assertThat(polled(i % 2 == 0 ? first : second)).containsExactly((long) i);
            assertThat(polled(i % 2 == 0 ? second : first)).containsExactly((long) i);
        }
    }

    /** A batch is published from its end, and consumers stand before it until the first one is. */
    @Test
    void eventsThatWerePublishedBeforeTheFirstOfTheirBatchAreSkippedWithIt() throws Exception {
        EventPoller<long[]> poller = events.newPoller();
        for (int i = 0; i < LAPS * 8; i++) {
            long first = events.claim(4);
            for (int at = 3; at > i % 4; at--) {
                sequencer(events).publish(first + at);
            }
            publishEvent(i);
            for (int at = 3; at > 0; at--) {
                leave(first + at, 1);
                assertThat(polled(poller)).as("%d, before the first is left", i).isEmpty();
            }
            leave(first, 1);
            assertThat(polled(poller)).as("%d", i).containsExactly((long) i);
        }
    }

    @Test
    void eventsOfARingWithoutConsumersDoNotHoldUpPublishers() {
        for (int i = 0; i < LAPS * 8; i++) {
            long first = events.tryClaim(2);
            assertThat(first).as("%d", i).isNotNegative();
            leave(first + 1, 1);
            leave(first, 1);
            assertThat(events.tryPublishEvent((event, sequence, value) -> {}, ""))
                    .as("%d", i)
                    .isTrue();
        }
        assertThat(events.claimed()).isEqualTo(LAPS * 24L);
    }

    private void leave(long first, int count) {
        leave(sequencer(events), first, count, 1);
    }

    private void leaveFrame(long position, int slots) {
        leave(sequencer(), position, slots, SLOT);
    }

    private static void leave(MultiSequencer many, long first, int count, int stride) {
        for (long at = first + (long) (count - 1) * stride; at >= first; at -= stride) {
            many.stamps[(int) (at >>> many.slotShift) & many.stamps.length - 1] =
                    (int) (at >>> many.lapShift) + 1 ^ MultiSequencer.LEFT;
        }
    }

    private MultiSequencer sequencer() {
        return Objects.requireNonNull(frames.many);
    }

    private static MultiSequencer sequencer(RingBuffer<?> ring) {
        return Objects.requireNonNull(ring.many);
    }

    private void publishFrame(int value) {
        frames.publishFrame(8, (memory, offset, length, number) -> Frame.length(memory, offset, number), value);
    }

    private void publishEvent(long value) {
        events.publishEvent((event, sequence, number) -> event[0] = number, value);
    }

    private static List<Integer> polled(FramePoller poller) {
        List<Integer> values = new ArrayList<>();
        poller.poll(
                (memory, offset, length, end) -> values.add(Frame.length(memory, offset + Frame.HEADER_BYTES)), 100);
        return values;
    }

    private static List<Long> polled(EventPoller<long[]> poller) throws Exception {
        List<Long> values = new ArrayList<>();
        poller.poll((event, sequence, end) -> values.add(event[0]), 100);
        return values;
    }
}
