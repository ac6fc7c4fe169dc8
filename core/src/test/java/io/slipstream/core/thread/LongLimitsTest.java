package io.slipstream.core.thread;

import static org.assertj.core.api.Assertions.assertThat;

import io.slipstream.core.executor.LockFreeExecutor;
import io.slipstream.core.queue.ManyToManyQueue;
import io.slipstream.core.queue.WaitingQueue;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.sequence.Sequence;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A limit that lies before now is over at once, however far before. */
class LongLimitsTest {
    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0})
    void noCallWaits(long nanos) throws Exception {
        Duration limit = Duration.ofNanos(nanos);
        WaitingQueue<String> queue = new ManyToManyQueue<String>(1).waiting(WaitStrategy.parking());
        assertThat(queue.poll(nanos, TimeUnit.NANOSECONDS)).isNull();
        while (queue.offer("more")) {
            assertThat(queue.isEmpty()).isFalse();
        }
        assertThat(queue.offer("more", nanos, TimeUnit.NANOSECONDS)).isFalse();
        RingBuffer<long[]> events = RingBuffer.forManyPublishers(() -> new long[1], 1);
        events.addGating(new Sequence());
        events.publish(events.claim());
        assertThat(events.tryClaim(1, limit)).isNegative();
        try (FrameRing frames = new FrameRing(64)) {
            frames.addGating(new Sequence());
            while (frames.tryClaim(0) >= 0) {
                assertThat(frames.capacity()).isEqualTo(64);
            }
            assertThat(frames.tryClaim(0, limit)).isNegative();
        }
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (LockFreeExecutor executor = LockFreeExecutor.builder().capacity(1).build()) {
            executor.execute(() -> await(begun, release));
            begun.await();
            while (executor.tryExecute(() -> {})) {
                assertThat(executor.isShutdown()).isFalse();
            }
            boolean accepted = executor.tryExecute(() -> {}, limit);
            release.countDown();
            assertThat(accepted).isFalse();
        }
    }

    private static void await(CountDownLatch begun, CountDownLatch release) {
        begun.countDown();
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
