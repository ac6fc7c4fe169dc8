package io.slipstream.core.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.thread.WaitStrategy;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several frames in one claim, and in one publication. */
class FramesInOneClaimTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final int MESSAGE = 20;
    private static final int STRIDE = 32;

    private static FrameRing ring(boolean many, int capacity) {
        return many
                ? FrameRing.forManyPublishers(capacity, WaitStrategy.yielding())
                : FrameRing.forOnePublisher(capacity, WaitStrategy.yielding());
    }

    private static void write(FrameRing ring, long position, int index, long value) {
        ring.memory()
                .set(
                        LONG,
                        ring.offset(position) + (long) index * FrameRing.stride(MESSAGE) + Frame.HEADER_BYTES,
                        value);
    }

    private static List<Long> poll(FramePoller poller) throws Exception {
        List<Long> found = new ArrayList<>();
        while (poller.poll(
                        (memory, offset, length, endOfBatch) ->
                                found.add(memory.get(LONG, offset + Frame.HEADER_BYTES)),
                        10)
                > 0) {
            continue;
        }
        return found;
    }

    @Test
    void tellsTheStrideOfMessagesThatARingTakes() {
        assertThat(FrameRing.stride(0)).isEqualTo(16);
        assertThat(FrameRing.stride(9)).isEqualTo(32);
        assertThat(FrameRing.stride((1 << 29) - 8)).isEqualTo(1 << 29);
        for (int length : new int[] {-1, -100, (1 << 29) - 7, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> FrameRing.stride(length))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a message of the largest ring has from 0 to 536870904 bytes, not " + length);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void becomeVisibleInOneStepAlsoBehindPadding(boolean many) throws Exception {
        try (FrameRing ring = ring(many, 256)) {
            FramePoller poller = ring.newPoller();
            for (long lap = 0; lap < 20; lap++) {
                long first = ring.claim(MESSAGE, 3);
                assertThat(FrameRing.stride(MESSAGE)).isEqualTo(STRIDE);
                for (int i = 2; i >= 0; i--) {
                    write(ring, first, i, 10 * lap + i);
                    assertThat(poll(poller)).isEmpty();
                }
                ring.publish(first, MESSAGE, 3);
                assertThat(poll(poller)).containsExactly(10 * lap, 10 * lap + 1, 10 * lap + 2);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void areClaimedForOneBlockAndAbortedTogether(boolean many) throws Exception {
        try (FrameRing ring = ring(many, 256)) {
            FramePoller poller = ring.newPoller();
            FrameClaim claims = ring.newClaim();
            try (var claim = claims.claim(MESSAGE, 2)) {
                assertThat(claim.count()).isEqualTo(2);
                claim.memory().set(LONG, claim.offset(0), 7);
                claim.memory().set(LONG, claim.offset(1), 8);
                assertThatThrownBy(() -> claims.offset(2)).isInstanceOf(IndexOutOfBoundsException.class);
                claim.publish();
            }
            try (var claim = claims.tryClaim(MESSAGE, 3, Duration.ofMillis(1))) {
                assertThat(claim).isNotNull();
            }
            assertThat(poll(poller)).containsExactly(7L, 8L);
            try (var claim = claims.claim(MESSAGE)) {
                claim.memory().set(LONG, claim.offset(), 9);
                claim.publish();
            }
            assertThat(poll(poller)).containsExactly(9L);
        }
    }

    /** Its length is that of its message, not of the room that it takes, whichever way it is claimed and published. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void areAlsoASingleOne(boolean many) throws Exception {
        try (FrameRing ring = ring(many, 256)) {
            FramePoller poller = ring.newPoller();
            FrameClaim claims = ring.newClaim();
            ring.publish(ring.claim(MESSAGE));
            ring.publish(ring.claim(MESSAGE, 1));
            ring.publish(ring.claim(MESSAGE), MESSAGE, 1);
            ring.publish(ring.claim(MESSAGE, 1), MESSAGE, 1);
            claims.claim(MESSAGE).publish();
            claims.claim(MESSAGE, 1).publish();
            List<Integer> lengths = new ArrayList<>();
            poller.poll((memory, offset, length, endOfBatch) -> lengths.add(length), 3);
            poller.poll((memory, offset, length, endOfBatch) -> lengths.add(length), 3);
            assertThat(lengths).hasSize(6).containsOnly(Frame.HEADER_BYTES + MESSAGE);
        }
    }

    /** What the second claim writes into the ring must not show the first one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void stayOpenBesideALaterClaim(boolean many) throws Exception {
        try (FrameRing ring = ring(many, 512)) {
            FramePoller poller = ring.newPoller();
            long first = ring.claim(MESSAGE, 2);
            long second = ring.claim(MESSAGE, 2);
            for (int i = 0; i < 2; i++) {
                write(ring, first, i, i);
                write(ring, second, i, 2 + i);
            }
            assertThat(poll(poller)).isEmpty();
            ring.publish(first, MESSAGE, 2);
            assertThat(poll(poller)).containsExactly(0L, 1L);
            ring.publish(second, MESSAGE, 2);
            assertThat(poll(poller)).containsExactly(2L, 3L);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void areRefusedTogetherWhereThereIsNoRoomForAllOrNeverWill(boolean many) {
        try (FrameRing ring = ring(many, 256)) {
            ring.newPoller();
            ring.publish(ring.claim(MESSAGE, 4), MESSAGE, 4);
            assertThat(ring.tryClaim(MESSAGE, 4)).isEqualTo(many ? 128 : FrameRing.NO_ROOM);
            assertThat(ring.tryClaim(MESSAGE, 4)).isEqualTo(FrameRing.NO_ROOM);
            assertThat(ring.tryClaim(MESSAGE, 4, Duration.ofMillis(1))).isEqualTo(FrameRing.NO_ROOM);
            assertThatThrownBy(() -> ring.claim(MESSAGE, 5))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("5 frames with messages of 20 bytes take 160 bytes")
                    .hasMessageContaining("128 bytes");
            assertThatThrownBy(() -> ring.claim(MESSAGE, 0)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> ring.claim(0, Integer.MAX_VALUE)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> ring.claim(-1, 1)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** Each frame says whose it is, which claim it belongs to, which one in it it is, and of how many. */
    @ParameterizedTest
    @CsvSource({"1, 64", "1, 256", "1, 4096", "2, 64", "2, 256", "2, 4096"})
    void arriveWholeAndInOrderBesideTheConsumer(int publishers, int capacity) throws Exception {
        int claims = 20_000;
        try (FrameRing ring = ring(publishers > 1, capacity);
                ExecutorService threads = Executors.newFixedThreadPool(publishers)) {
            FramePoller poller = ring.newPoller();
            List<Future<?>> running = new ArrayList<>();
            for (int publisher = 0; publisher < publishers; publisher++) {
                int own = publisher;
                running.add(threads.submit(() -> publish(ring, own, claims, capacity)));
            }
            long[] next = new long[publishers];
            int[] whole = {0};
            long[] open = {0, 0};
            while (whole[0] < publishers * claims) {
                int polled = poller.poll(
                        (memory, offset, length, endOfBatch) -> {
                            long value = memory.get(LONG, offset + Frame.HEADER_BYTES);
                            int publisher = (int) (value >>> 48);
                            long claim = value >>> 16 & 0xFFFF_FFFFL;
                            long index = value >>> 8 & 0xFF;
                            long count = value & 0xFF;
                            assertThat(length).isEqualTo(Frame.HEADER_BYTES + lengthOf(claim));
                            assertThat(claim).isEqualTo(next[publisher]);
                            assertThat(index).isEqualTo(open[0]);
                            assertThat(open[0] == 0 || open[1] == publisher).isTrue();
                            open[0] = index + 1 == count ? 0 : index + 1;
                            open[1] = publisher;
                            if (index + 1 == count) {
                                next[publisher]++;
                                whole[0]++;
                            }
                        },
                        3);
                if (polled == 0) {
                    Thread.yield();
                }
            }
            for (Future<?> end : running) {
                end.get();
            }
        }
    }

    private static int lengthOf(long claim) {
        return 8 + (int) (claim % 5);
    }

    private static void publish(FrameRing ring, int publisher, int claims, int capacity) {
        SplittableRandom random = new SplittableRandom(publisher);
        for (long claim = 0; claim < claims; claim++) {
            int length = lengthOf(claim);
            int count = 1 + random.nextInt(Math.min(9, capacity / 2 / FrameRing.stride(length)));
            if (random.nextInt(10) == 0) {
                ring.abort(ring.claim(length, count));
            }
            long first = ring.claim(length, count);
            for (int i = 0; i < count; i++) {
                ring.memory()
                        .set(
                                LONG,
                                ring.offset(first) + (long) i * FrameRing.stride(length) + Frame.HEADER_BYTES,
                                (long) publisher << 48 | claim << 16 | (long) i << 8 | count);
            }
            ring.publish(first, length, count);
        }
    }
}
