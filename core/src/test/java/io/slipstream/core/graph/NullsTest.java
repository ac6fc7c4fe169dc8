package io.slipstream.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.handler.EventHandler;
import io.slipstream.core.handler.ExceptionPolicy;
import io.slipstream.core.memory.Region;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.ring.SmartBatcher;
import io.slipstream.core.ring.WhenFull;
import io.slipstream.core.sequence.SequenceBarrier;
import io.slipstream.core.thread.WaitStrategy;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What must not be null is refused at once, by its name, and not by whoever needs it later. */
@SuppressWarnings("NullAway")
class NullsTest {
    private static final WaitStrategy STRATEGY = WaitStrategy.parking();

    private final RingBuffer<long[]> ring = RingBuffer.forOnePublisher(() -> new long[1], 4);

    @AutoClose
    private final FrameRing frames = new FrameRing(64);

    @AutoClose
    private final EventGraph<long[]> graph = EventGraph.of(ring);

    private final EventHandler<long[]> handler = (event, sequence, end) -> {};

    @Test
    void ofRings() {
        refuses("factory", () -> RingBuffer.forOnePublisher(null, 4));
        refuses("publishersWait", () -> RingBuffer.forOnePublisher(() -> 1, 4, null, WhenFull.WAIT));
        refuses("publishersWait", () -> FrameRing.forManyPublishers(64, null).close());
        refuses("whenFull", () -> RingBuffer.forManyPublishers(() -> 1, 4, STRATEGY, null));
        refuses(
                "region",
                () -> FrameRing.forOnePublisher((Region) null, STRATEGY, WhenFull.WAIT)
                        .close());
        refuses("limit", () -> ring.tryClaim(1, null));
        refuses("limit", () -> frames.tryClaim(1, (Duration) null));
        refuses("limit", () -> frames.tryClaim(1, 1, null));
        refuses("limit", () -> ring.newPoller().poll((event, sequence, end) -> true, 1, null));
        refuses("time", () -> frames.newPoller().poll((memory, offset, length, end) -> {}, 1, null));
        refuses("signal", () -> ring.addSignal(null));
        refuses("consumer", () -> ring.addGating(null));
        refuses("consumer", () -> ring.addGating(null, 0));
        refuses("reason", () -> ring.fail(null, null));
        refuses("barrier", () -> ring.newPoller((SequenceBarrier) null));
        refuses("barrier", () -> frames.newPoller((SequenceBarrier) null));
        refuses("sink", () -> new SmartBatcher<>(frames, frames.newPoller(), 64, null));
        assertThat(ring.failure()).isNull();
        ring.publish(ring.claim());
    }

    @Test
    void ofGraphs() {
        graph.handleEventsWith(handler);
        refuses("policy", () -> graph.defaultExceptionPolicy(null));
        refuses("policy", () -> graph.settings(handler).onException(null));
        refuses("name", () -> graph.settings(handler).name(null));
        refuses("timeout", () -> graph.settings(handler).timeout(null));
        refuses("timeout", () -> WaitStrategy.blocking(null));
        refuses("otherwise", () -> ExceptionPolicy.retry(1, null));
        refuses("waitStrategy", () -> graph.start(null));
        refuses("workers", () -> graph.start(STRATEGY, 1, null));
        refuses("limit", () -> graph.drain(null));
        refuses("limit", () -> graph.await(null));
        refuses("limit", () -> graph.close(null));
        graph.start(STRATEGY);
    }

    private static void refuses(String name, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(name);
    }
}
