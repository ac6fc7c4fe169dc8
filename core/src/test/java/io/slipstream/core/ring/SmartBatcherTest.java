package io.slipstream.core.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SmartBatcherTest {
    private static final int SEND_MICROS = 100;

    @Test
    void handsOnWhatHasArrivedAsOneBatchAndReleasesItAfterwards() throws Exception {
        try (FrameRing ring = new FrameRing(1024)) {
            FramePoller poller = ring.newPoller();
            List<Integer> batches = new ArrayList<>();
            SmartBatcher<Exception> batcher = new SmartBatcher<>(ring, poller, 256, (memory, offset, bytes) -> {
                assertThat(poller.sequence().getAcquire()).isLessThan(1024);
                batches.add(bytes);
                return bytes;
            });
            assertThat(batcher.work()).isZero();
            publish(ring, 3);
            batcher.work();
            publish(ring, 20);
            while (batcher.work() > 0) {
                assertThat(poller.sequence().getAcquire()).isPositive();
            }
            assertThat(batches).containsExactly(48, 256, 64);
            assertThat(ring.depth()).isZero();
        }
    }

    @Test
    void offersABatchAgainAfterTheSinkHasFailed() throws Exception {
        try (FrameRing ring = new FrameRing(1024)) {
            FramePoller poller = ring.newPoller();
            int[] calls = {0};
            SmartBatcher<Exception> batcher = new SmartBatcher<>(ring, poller, 256, (memory, offset, bytes) -> {
                if (calls[0]++ == 0) {
                    throw new IOException("full");
                }
                return bytes;
            });
            publish(ring, 2);
            assertThatThrownBy(batcher::work).hasMessage("full");
            assertThat(ring.depth()).isEqualTo(32);
            assertThat(batcher.work()).isEqualTo(32);
            assertThat(ring.depth()).isZero();
        }
    }

    @Test
    void leavesInTheRingWhatTheSinkHasNoRoomFor() throws Exception {
        try (FrameRing ring = new FrameRing(1024)) {
            FramePoller poller = ring.newPoller();
            List<Integer> offered = new ArrayList<>();
            SmartBatcher<Exception> batcher = new SmartBatcher<>(ring, poller, 256, (memory, offset, bytes) -> {
                offered.add(bytes);
                return offered.size() == 1 ? 0 : Math.min(bytes, 32);
            });
            publish(ring, 3);
            assertThat(batcher.work()).isZero();
            assertThat(ring.depth()).isEqualTo(48);
            assertThat(batcher.work()).isEqualTo(32);
            assertThat(batcher.work()).isEqualTo(16);
            assertThat(offered).containsExactly(48, 48, 16);
            assertThat(ring.depth()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-16, 8, 36, 48})
    void refusesANumberOfBytesThatTheSinkWasNotGiven(int taken) throws Exception {
        try (FrameRing ring = new FrameRing(1024)) {
            FramePoller poller = ring.newPoller();
            SmartBatcher<Exception> batcher = new SmartBatcher<>(ring, poller, 32, (memory, offset, bytes) -> taken);
            publish(ring, 3);
            assertThatThrownBy(batcher::work)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("of a run of 32 bytes no part that ends with a frame has " + taken);
            assertThat(poller.sequence().getAcquire()).isZero();
        }
    }

    /** Ten messages in a burst, 100 microseconds a send: one at a time they take 100 to 1000, in batches 100 to 200. */
    @Test
    void answersTheWholeBurstWithinTwoSends() throws Exception {
        try (FrameRing ring = new FrameRing(1024)) {
            FramePoller poller = ring.newPoller();
            long[] nowMicros = {0};
            List<Long> latencies = new ArrayList<>();
            SmartBatcher<Exception> batcher = new SmartBatcher<>(ring, poller, 1024, (memory, offset, bytes) -> {
                if (nowMicros[0] == 0) {
                    publish(ring, 9);
                }
                nowMicros[0] += SEND_MICROS;
                for (int i = 0; i < bytes / 16; i++) {
                    latencies.add(nowMicros[0]);
                }
                return bytes;
            });
            publish(ring, 1);
            while (batcher.work() > 0) {
                assertThat(nowMicros[0]).isLessThanOrEqualTo(200);
            }
            assertThat(latencies).hasSize(10);
            assertThat(latencies.stream().mapToLong(Long::longValue).average()).hasValue(190);
        }
    }

    private static void publish(FrameRing ring, int frames) {
        for (int i = 0; i < frames; i++) {
            ring.publish(ring.tryClaim(8));
        }
    }
}
