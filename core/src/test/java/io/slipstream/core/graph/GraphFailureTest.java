package io.slipstream.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.handler.Action;
import io.slipstream.core.handler.EventHandler;
import io.slipstream.core.handler.StageListener;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.ring.RingFailedException;
import io.slipstream.core.ring.RingFullException;
import io.slipstream.core.ring.WhenFull;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is reported when a stage fails, to whom, and which stages go on. */
class GraphFailureTest {
    private static final Duration LONG = Await.PATIENCE;

    private final RingBuffer<Cell> ring = RingBuffer.forOnePublisher(Cell::new, 8);
    private final EventGraph<Cell> graph = EventGraph.of(ring);
    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        graph.close();
    }

    @Test
    void nothingIsHandledAfterTheShutdownOfAStageOnTheSameThread() {
        graph.handleEventsWith(new Recorder("first", 1)).then(new Recorder("second", -1));
        publish(3);
        graph.start(WaitStrategy.parking(), 1);
        assertThatThrownBy(graph::await).hasMessageContaining("failed on event 1");
        graph.close();
        assertThat(calls).containsExactly("first starts", "second starts", "first 0", "first ends", "second ends");
    }

    @Test
    void nothingIsStartedAfterAnotherStageHasFailedToStart() {
        graph.handleEventsWith(new Recorder("first", -1) {
                    @Override
                    public void onStart() {
                        throw new IllegalStateException("no licence");
                    }
                })
                .then(new Recorder("second", -1));
        graph.start(WaitStrategy.parking(), 1);
        assertThatThrownBy(graph::await)
                .hasMessageContaining("stage stage-1 failed to start")
                .hasRootCauseMessage("no licence");
        graph.close();
        assertThat(calls).containsExactly("first ends");
    }

    @Test
    void aFailureAtTheStartOfABatchNamesItsStage() {
        graph.handleEventsWith(new Recorder("a", -1) {
            @Override
            public void onBatchStart(long batchSize, long queueDepth) {
                throw new IllegalStateException("no room");
            }
        });
        publish(1);
        graph.start(WaitStrategy.parking());
        assertThatThrownBy(graph::await)
                .hasMessageContaining("stage stage-1 failed at the start of a batch")
                .hasCauseExactlyInstanceOf(IllegalStateException.class);
        assertThatThrownBy(ring::claim).hasMessageContaining("stage stage-1 failed at the start of a batch");
    }

    @Test
    void aPolicyThatThrowsDoesNotHideWhatTheHandlerHasThrown() {
        Recorder handler = new Recorder("a", 2);
        graph.handleEventsWith(handler);
        graph.settings(handler).onException((stage, thrown, sequence, attempt) -> {
            throw new UnsupportedOperationException("policy");
        });
        publish(3);
        graph.start(WaitStrategy.parking());
        assertThatThrownBy(graph::await)
                .hasRootCauseMessage("boom")
                .satisfies(e -> assertThat(e.getCause().getSuppressed()).hasSize(1))
                .hasMessageContaining("failed on event 2")
                .hasMessageContaining("its exception policy failed too");
        assertThat(graph.snapshot().getFirst().position()).isEqualTo(2);
    }

    @Test
    void aPolicyThatReturnsNothingDoesNotHideWhatTheHandlerHasThrown() {
        Recorder handler = new Recorder("a", 2);
        graph.handleEventsWith(handler);
        graph.settings(handler).onException(GraphFailureTest::nothing);
        publish(3);
        graph.start(WaitStrategy.parking());
        assertThatThrownBy(graph::await)
                .hasRootCauseMessage("boom")
                .hasMessageContaining("failed on event 2")
                .hasMessageContaining("its exception policy failed too")
                .hasMessageContaining("it returned null");
        assertThat(graph.snapshot().getFirst().position()).isEqualTo(2);
    }

    @SuppressWarnings("NullAway")
    private static Action nothing(String stage, Throwable thrown, long sequence, int attempt) {
        return null;
    }

    @Test
    void aStageThatDoesNotSayWhereItFailedFailsAtItsBeginning() throws Exception {
        List<Long> begins = Collections.synchronizedList(new ArrayList<>());
        Stage stage =
                new Stage(
                        ring,
                        new StageListener() {},
                        new StageSettings("own", 2, 0, (name, thrown, sequence, attempt) -> Action.CONTINUE)) {
                    @Override
                    protected long handle(long first, long end) {
                        begins.add(first);
                        if (first == 0 || first == 3) {
                            throw new IllegalStateException("at the beginning");
                        }
                        return end;
                    }
                };
        graph.handleEventsWith(stage);
        publish(6);
        graph.start(WaitStrategy.parking());
        graph.drain(LONG);
        assertThat(begins).containsExactly(0L, 1L, 3L, 4L);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1, 5, Long.MAX_VALUE, Long.MIN_VALUE})
    void aStageOfOnesOwnStopsIfItReturnsWhatCannotBe(long wrong) throws Exception {
        graph.handleEventsWith(new Stage(ring, new StageListener() {}, StageSettings.named("own")) {
            @Override
            protected long handle(long first, long end) {
                return first < 2 ? 2 : wrong;
            }
        });
        publish(4);
        graph.start(WaitStrategy.parking());
        assertThatThrownBy(graph::await)
                .isInstanceOf(StageStoppedException.class)
                .hasMessage("stage own returned " + wrong
                        + " as the position up to which it has handled what is there from 2 to 4; it must be within"
                        + " that range");
        assertThat(graph.snapshot().getFirst().position()).isEqualTo(2);
        assertThatThrownBy(ring::claim)
                .isInstanceOf(RingFailedException.class)
                .hasMessageStartingWith("stage own returned " + wrong);
    }

    @Test
    void aStageOfOnesOwnCanTellWhatWasAborted() throws Exception {
        List<Long> kept = Collections.synchronizedList(new ArrayList<>());
        graph.handleEventsWith(new Stage(ring, new StageListener() {}, StageSettings.named("own")) {
            @Override
            protected long handle(long first, long end) {
                for (long at = first; at < end; at++) {
                    if (!ring.isAborted(at)) {
                        kept.add(at);
                    }
                }
                return end;
            }
        });
        ring.claim();
        ring.claim();
        ring.abort(0);
        ring.publish(1);
        graph.start(WaitStrategy.parking());
        graph.drain(LONG);
        assertThat(kept).containsExactly(1L);
    }

    @Test
    void aHandlerCannotLeaveWhileItIsBusy() throws Exception {
        AtomicReference<Throwable> refusal = new AtomicReference<>();
        EventHandler<Cell> handler = new EventHandler<>() {
            @Override
            public void onEvent(Cell cell, long sequence, boolean endOfBatch) {
                try {
                    graph.leave(this);
                } catch (IllegalStateException e) {
                    refusal.set(e);
                }
            }
        };
        graph.handleEventsWith(handler);
        graph.start(WaitStrategy.parking());
        publish(1);
        graph.drain(LONG);
        assertThat(refusal.get()).hasMessageContaining("stage stage-1 cannot leave from its own handler");
        publish(1);
        graph.drain(LONG);
        assertThat(graph.leave(handler)).isEqualTo(2);
    }

    @Test
    void whatWasPublishedCannotBeAborted() {
        long sequence = ring.claim();
        ring.publish(sequence);
        assertThatThrownBy(() -> ring.abort(sequence))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("what was claimed at 0 was published already, so it cannot be aborted");
        assertThat(ring.claim()).isEqualTo(1);
    }

    @Test
    void stagesHaveNamesOfTheirOwn() {
        EventHandler<Cell> a = new Recorder("a", -1);
        EventHandler<Cell> b = new Recorder("b", -1);
        graph.handleEventsWith(a, b);
        graph.settings(a).name("same").name("same");
        assertThatThrownBy(() -> graph.settings(b).name("same"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("there is a stage same in the graph already");
        graph.start(WaitStrategy.parking());
        assertThatThrownBy(() -> graph.join("same", new Recorder("c", -1)))
                .hasMessageStartingWith("there is a stage same");
    }

    @Test
    void drainsWithAnyLimit() throws Exception {
        graph.handleEventsWith(new Recorder("a", -1));
        graph.start(WaitStrategy.parking());
        publish(5);
        graph.drain(Duration.ofNanos(Long.MAX_VALUE));
        publish(5);
        graph.drain(Duration.ofSeconds(Long.MAX_VALUE));
    }

    @Test
    void whoSharesWorkIsToldOfEachEventAsABatch() throws Exception {
        graph.shareEventsAmong(new Recorder("a", -1) {
            @Override
            public void onBatchStart(long batchSize, long queueDepth) {
                calls.add(batchSize + " of " + queueDepth);
            }
        });
        publish(2);
        graph.start(WaitStrategy.parking());
        graph.drain(LONG);
        assertThat(calls).containsExactly("a starts", "1 of 1", "a 0", "1 of 1", "a 1");
    }

    @Test
    void refusedCountsWhatFails() {
        RingBuffer<Cell> failing = RingBuffer.forOnePublisher(Cell::new, 1, WaitStrategy.yielding(), WhenFull.FAIL);
        failing.newPoller();
        failing.publishEvent((cell, sequence, nothing) -> {}, this);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> failing.publishEvent((cell, sequence, nothing) -> {}, this))
                    .isInstanceOf(RingFullException.class);
        }
        assertThat(failing.refused()).isEqualTo(3);
    }

    private void publish(int count) {
        for (int i = 0; i < count; i++) {
            ring.publish(ring.claim());
        }
    }

    private static final class Cell {}

    private class Recorder implements EventHandler<Cell> {
        private final String name;
        private final long failsAt;

        Recorder(String name, long failsAt) {
            this.name = name;
            this.failsAt = failsAt;
        }

        @Override
        public void onEvent(Cell cell, long sequence, boolean endOfBatch) {
            if (sequence == failsAt) {
                throw new IllegalStateException("boom");
            }
            calls.add(name + " " + sequence);
        }

        @Override
        public void onStart() {
            calls.add(name + " starts");
        }

        @Override
        public void onShutdown() {
            calls.add(name + " ends");
        }
    }
}
