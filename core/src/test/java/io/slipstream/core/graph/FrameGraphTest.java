package io.slipstream.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.frame.FrameHandler;
import io.slipstream.core.handler.Action;
import io.slipstream.core.handler.FrameBatchHandler;
import io.slipstream.core.handler.StageListener;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.RingFailedException;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Await;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the graph of frames has of its own, and what may be set for its stages. */
class FrameGraphTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final Duration LIMIT = Await.PATIENCE;

    private final FrameRing ring = FrameRing.forManyPublishers(256, WaitStrategy.parking());
    private final FrameGraph graph = FrameGraph.of(ring);

    /** Notes the values of frames and the begins of batches, and fails as often as told. */
    private static final class Noting implements FrameHandler, StageListener {
        private final List<Long> values = Collections.synchronizedList(new ArrayList<>());
        private final List<Long> batches = Collections.synchronizedList(new ArrayList<>());
        private final List<Long> depths = Collections.synchronizedList(new ArrayList<>());
        private final CountDownLatch timeouts = new CountDownLatch(1);
        private long failing = -1;

        @Override
        public void onFrame(MemorySegment memory, long offset, int length, boolean endOfBatch) {
            long value = memory.get(LONG, offset + Frame.HEADER_BYTES);
            if (value == failing) {
                throw new IllegalStateException("frame " + value);
            }
            values.add(value);
        }

        @Override
        public void onBatchStart(long batchSize, long queueDepth) {
            batches.add(batchSize);
            depths.add(queueDepth);
        }

        @Override
        public void onTimeout(long sequence) {
            timeouts.countDown();
        }
    }

    @AfterEach
    void close() {
        graph.close();
        ring.close();
    }

    private void publish(long value) {
        long position = ring.claim(8);
        ring.memory().set(LONG, ring.offset(position) + Frame.HEADER_BYTES, value);
        ring.publish(position);
    }

    @Test
    void limitsBatchesToWholeFrames() throws Exception {
        Noting handler = new Noting();
        graph.handleFramesWith(handler);
        graph.settings(handler).maxBatch(24);
        for (int i = 0; i < 5; i++) {
            publish(i);
        }
        graph.start(WaitStrategy.parking());
        graph.drain(LIMIT);
        assertThat(handler.values).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(handler.batches).containsExactly(24L, 24L, 16L);
        assertThat(handler.depths).containsExactly(80L, 48L, 16L);
    }

    @Test
    void passesTheFrameThatAHandlerFailedOnWhenThePolicySaysSo() throws Exception {
        Noting handler = new Noting();
        handler.failing = 1;
        graph.handleFramesWith(handler);
        graph.settings(handler).onException((stage, thrown, position, attempt) -> Action.CONTINUE);
        graph.start(WaitStrategy.parking());
        for (int i = 0; i < 3; i++) {
            publish(i);
        }
        graph.drain(LIMIT);
        assertThat(handler.values).containsExactly(0L, 2L);
    }

    @Test
    void stopsWithTheNameOfTheStageAndThePositionOfTheFrame() {
        Noting handler = new Noting();
        handler.failing = 1;
        graph.handleFramesWith(handler);
        graph.settings(handler).name("journal");
        graph.start(WaitStrategy.parking());
        publish(0);
        publish(1);
        assertThatThrownBy(graph::await)
                .hasMessageContaining("stage journal failed on the frame at 16")
                .hasRootCauseMessage("frame 1");
        assertThatThrownBy(() -> publish(2))
                .isInstanceOf(RingFailedException.class)
                .hasMessageContaining("frame 1");
    }

    @Test
    void tellsAHandlerThatNothingHasCome() throws Exception {
        Noting handler = new Noting();
        graph.handleFramesWith(handler);
        graph.settings(handler).timeout(Duration.ofMillis(1));
        graph.start(WaitStrategy.parking());
        Await.done(handler.timeouts);
    }

    @Test
    void handlersBranchJoinAndLeaveWhileFramesFlow() throws Exception {
        Noting first = new Noting();
        Noting branch = new Noting();
        Noting last = new Noting();
        graph.handleFramesWith(first);
        graph.after(first).handleFramesWith(branch).and(graph.after(first)).then(last);
        graph.start(WaitStrategy.parking(), 2);
        publish(0);
        Noting late = new Noting();
        long from = graph.join("late", late);
        assertThat(from).isEqualTo(16);
        publish(1);
        publish(2);
        graph.drain(LIMIT);
        assertThat(graph.leave(late)).isEqualTo(48);
        publish(3);
        graph.drain(LIMIT);
        assertThat(late.values).containsExactly(1L, 2L);
        assertThat(last.values).containsExactly(0L, 1L, 2L, 3L);
        assertThat(branch.values).hasSize(4);
    }

    @Test
    void aControlledHandlerRepeatsAFrameOrItsBatchAndStopsTheGraph() throws Exception {
        List<Long> seen = new ArrayList<>();
        graph.handleControlledWith((memory, offset, length, endOfBatch) -> {
            long value = memory.get(LONG, offset + Frame.HEADER_BYTES);
            seen.add(value);
            if (value == 1 && seen.size() == 2) {
                return Action.RETRY;
            }
            if (value == 2 && seen.size() == 4) {
                return Action.REWIND;
            }
            return value == 3 ? Action.STOP : Action.CONTINUE;
        });
        for (int i = 0; i < 5; i++) {
            publish(i);
        }
        graph.start(WaitStrategy.parking());
        assertThatThrownBy(graph::await).hasMessageContaining("asked to stop");
        // The retried frame begins a new batch, so that is where rewinding goes.
        assertThat(seen).containsExactly(0L, 1L, 1L, 2L, 1L, 2L, 3L);
    }

    @Test
    void aBatchHandlerGetsRunsOfFramesWithoutThoseThatWereAborted() throws Exception {
        List<Long> seen = new ArrayList<>();
        List<Integer> runs = new ArrayList<>();
        graph.handleBatchesWith((memory, offset, bytes) -> {
            runs.add(bytes);
            for (long at = offset; at < offset + bytes; at += Frame.align(Frame.length(memory, at))) {
                seen.add(memory.get(LONG, at + Frame.HEADER_BYTES));
            }
        });
        publish(0);
        publish(1);
        ring.abort(ring.claim(8));
        publish(2);
        graph.start(WaitStrategy.parking());
        graph.drain(LIMIT);
        assertThat(runs).containsExactly(32, 16);
        for (int i = 3; i < 200; i++) {
            publish(i);
        }
        graph.drain(LIMIT);
        assertThat(seen).hasSize(200).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void passesTheRunThatABatchHandlerFailedOnWhenThePolicySaysSo() throws Exception {
        List<Long> seen = new ArrayList<>();
        FrameBatchHandler handler = (memory, offset, bytes) -> {
            long value = memory.get(LONG, offset + Frame.HEADER_BYTES);
            if (value == 0) {
                throw new IllegalStateException();
            }
            seen.add(value);
        };
        graph.handleBatchesWith(handler);
        graph.settings(handler).onException((stage, thrown, position, attempt) -> Action.CONTINUE);
        publish(0);
        publish(1);
        ring.abort(ring.claim(8));
        publish(2);
        graph.start(WaitStrategy.parking());
        graph.drain(LIMIT);
        assertThat(seen).containsExactly(2L);
    }

    @Test
    void eachFrameGoesToOneOfThoseThatShareThemAndThenToTheStageBehind() throws Exception {
        Noting one = new Noting();
        Noting other = new Noting();
        Noting behind = new Noting();
        graph.shareFramesAmong(one, other).then(behind);
        graph.start(WaitStrategy.parking());
        for (int i = 0; i < 2_000; i++) {
            if (i % 7 == 0) {
                ring.abort(ring.claim(i % 40));
            }
            publish(i);
        }
        graph.drain(LIMIT);
        assertThat(one.values).isSorted();
        assertThat(other.values).isSorted();
        assertThat(Stream.concat(one.values.stream(), other.values.stream()).sorted())
                .containsExactlyElementsOf(LongStream.range(0, 2_000).boxed().toList());
        assertThat(behind.values)
                .containsExactlyElementsOf(LongStream.range(0, 2_000).boxed().toList());
    }

    @Test
    void aStageOfOnesOwnThatFailsGoesOnWithTheNextFrame() throws Exception {
        List<Long> begins = Collections.synchronizedList(new ArrayList<>());
        StageSettings settings =
                StageSettings.named("own").withExceptionPolicy((stage, thrown, sequence, attempt) -> Action.CONTINUE);
        graph.handleFramesWith(new Stage(ring, new StageListener() {}, settings) {
            @Override
            protected long handle(long first, long end) {
                begins.add(first);
                if (first == 0) {
                    throw new IllegalStateException("at the first frame");
                }
                return end;
            }
        });
        publish(1);
        publish(2);
        publish(3);
        graph.start(WaitStrategy.parking());
        graph.drain(LIMIT);
        assertThat(begins).containsExactly(0L, 16L);
    }

    @Test
    void aStageOfOnesOwnStopsIfItReturnsMoreFramesThanThereAre() throws Exception {
        List<Long> begins = Collections.synchronizedList(new ArrayList<>());
        graph.handleFramesWith(
                new Stage(
                        ring, new StageListener() {}, StageSettings.named("own").withMaxBatch(8)) {
                    @Override
                    protected long handle(long first, long end) {
                        begins.add(first);
                        return first == 0 ? end + 8 : end + 24;
                    }
                });
        publish(1);
        publish(2);
        graph.start(WaitStrategy.parking());
        assertThatThrownBy(graph::await)
                .isInstanceOf(StageStoppedException.class)
                .hasMessage("stage own returned 48 as the position up to "
                        + "which it has handled what is there from 16 to 32; it must be within that range");
        assertThat(begins)
                .as("a whole frame may be longer than the largest batch")
                .containsExactly(0L, 16L);
    }

    @Test
    void takesAStageOfTheCallersOwnOnlyForItsOwnRing() throws Exception {
        List<Long> ends = new ArrayList<>();
        StageListener nobody = new StageListener() {};
        Stage own = new Stage(ring, nobody, StageSettings.named("own")) {
            @Override
            protected long handle(long first, long end) {
                ends.add(end);
                return end;
            }
        };
        graph.handleFramesWith(own);
        publish(0);
        publish(1);
        graph.start(WaitStrategy.parking());
        graph.drain(LIMIT);
        assertThat(ends).containsExactly(32L);
        try (FrameRing foreign = new FrameRing(64)) {
            assertThatThrownBy(() -> FrameGraph.of(foreign).handleFramesWith(own))
                    .hasMessage("stage own belongs to another ring");
        }
    }
}
