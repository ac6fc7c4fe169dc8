package io.slipstream.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.handler.EventHandler;
import io.slipstream.core.ring.EventPoller;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Await;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A stage that polls its own ring would sleep over what the poller waits for. */
class PollerInStageTest {
    private final RingBuffer<long[]> ring = RingBuffer.forOnePublisher(() -> new long[1], 8);
    private final EventGraph<long[]> graph = EventGraph.of(ring);

    @Test
    void aStageThatSleepsUntilItIsWokenCannotPollItsOwnRing() throws Exception {
        try (EventPoller<long[]> poller = ring.newPoller()) {
            graph.handleEventsWith((event, sequence, end) -> {
                while (poller.poll((polled, at, last) -> true, 8) >= 0) {
                    Thread.onSpinWait();
                }
            });
            graph.start(WaitStrategy.parking());
            ring.publish(ring.claim());
            assertThatThrownBy(() -> graph.await(Await.PATIENCE))
                    .isInstanceOf(StageStoppedException.class)
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("nobody wakes it")
                    .hasMessageContaining("graph.settings(handler).thread(name)");
            graph.close();
        }
    }

    @Test
    void norCanAStageOfFrames() throws Exception {
        try (FrameRing frames = new FrameRing(1 << 10);
                FramePoller poller = frames.newPoller()) {
            FrameGraph ofFrames = FrameGraph.of(frames);
            ofFrames.handleFramesWith((memory, offset, length, last) -> {
                while (poller.poll((polled, at, size, end) -> {}, 8) >= 0) {
                    Thread.onSpinWait();
                }
            });
            ofFrames.start(WaitStrategy.parking());
            frames.publish(frames.claim(8));
            assertThatThrownBy(() -> ofFrames.await(Await.PATIENCE))
                    .hasRootCauseInstanceOf(IllegalStateException.class);
            ofFrames.close();
        }
    }

    @Test
    void aStageThatLooksAgainByItselfMayPoll() throws Exception {
        CompletableFuture<Integer> polled = new CompletableFuture<>();
        try (EventPoller<long[]> poller = ring.newPoller()) {
            graph.handleEventsWith(polling(poller, polled));
            graph.start(WaitStrategy.yielding());
            ring.publish(ring.claim());
            assertThat(Await.done(polled)).isEqualTo(1);
            graph.close();
        }
    }

    @Test
    void aStageMayPollAnotherRing() throws Exception {
        CompletableFuture<Integer> polled = new CompletableFuture<>();
        RingBuffer<long[]> other = RingBuffer.forOnePublisher(() -> new long[1], 8);
        try (EventPoller<long[]> poller = other.newPoller()) {
            other.publish(other.claim());
            graph.handleEventsWith(polling(poller, polled));
            graph.start(WaitStrategy.parking());
            ring.publish(ring.claim());
            assertThat(Await.done(polled)).isEqualTo(1);
            graph.close();
        }
    }

    private static EventHandler<long[]> polling(EventPoller<long[]> poller, CompletableFuture<Integer> polled) {
        return (event, sequence, end) -> polled.complete(poller.poll((at, of, last) -> true, 8));
    }
}
