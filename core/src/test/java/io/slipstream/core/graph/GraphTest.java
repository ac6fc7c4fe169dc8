package io.slipstream.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.handler.Action;
import io.slipstream.core.handler.BatchHandler;
import io.slipstream.core.handler.EventHandler;
import io.slipstream.core.handler.ExceptionPolicy;
import io.slipstream.core.handler.StageListener;
import io.slipstream.core.ring.FrameClaim;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.ring.RingFailedException;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Await;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GraphTest {
    private static final Duration LONG = Await.PATIENCE;

    private final RingBuffer<Box> ring = RingBuffer.forManyPublishers(Box::new, 8);
    private final EventGraph<Box> graph = EventGraph.of(ring);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void runsTheFizzBuzzGraphOnAnyNumberOfThreads(int threads) throws Exception {
        long[] both = {0};
        EventHandler<Box> fizz = (box, sequence, end) -> box.fizz = box.value % 3 == 0;
        EventHandler<Box> buzz = (box, sequence, end) -> box.buzz = box.value % 5 == 0;
        EventHandler<Box> count = (box, sequence, end) -> both[0] += box.fizz && box.buzz ? 1 : 0;
        graph.handleEventsWith(fizz, buzz).then(count);
        graph.start(WaitStrategy.parking(), threads);
        for (int i = 0; i < 3000; i++) {
            publish(i);
        }
        graph.drain(LONG);
        graph.close();
        assertThat(both[0]).isEqualTo(200);
    }

    @Test
    void takesWhatWasPublishedBeforeTheStart() throws Exception {
        List<Long> seen = Collections.synchronizedList(new ArrayList<>());
        graph.handleEventsWith((box, sequence, end) -> seen.add(box.value));
        publish(1);
        publish(2);
        graph.start(WaitStrategy.yielding());
        publish(3);
        graph.drain(LONG);
        assertThat(seen).containsExactly(1L, 2L, 3L);
        graph.close();
    }

    @Test
    void whatOnePublisherHasNotPublishedIsNotDrained() throws Exception {
        RingBuffer<Box> ofOne = RingBuffer.forOnePublisher(Box::new, 8);
        try (EventGraph<Box> its = EventGraph.of(ofOne)) {
            List<Long> seen = Collections.synchronizedList(new ArrayList<>());
            its.handleEventsWith((box, sequence, end) -> seen.add(sequence));
            its.start(WaitStrategy.parking());
            ofOne.publish(ofOne.claim());
            ofOne.claim();
            its.drain(LONG);
            assertThat(seen).containsExactly(0L);
        }
    }

    @Test
    void aGraphWithoutHandlersHoldsNobodyUpAndEndsNothing() {
        EventGraph.of(ring);
        for (int i = 0; i < 100; i++) {
            publish(i);
        }
        EventGraph<Box> empty = EventGraph.of(ring);
        empty.close();
        assertThatThrownBy(() -> empty.handleEventsWith((box, sequence, end) -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("cannot add a stage: the graph has ended; make a new graph");
        publish(1);
        assertThat(ring.failure()).isNull();
    }

    @Test
    void aRingHasOneGraphAtATime() throws Exception {
        EventGraph<Box> other = EventGraph.of(ring);
        graph.handleEventsWith((box, sequence, end) -> {});
        Stage own = new Stage(ring, new StageListener() {}, StageSettings.named("own")) {
            @Override
            protected long handle(long first, long end) {
                return end;
            }
        };
        graph.handleEventsWith(own);
        String refusal = "this ring has a graph already, and a ring has one at a time: add the handler to that one, "
                + "let it join while events flow, "
                + "or use a poller";
        assertThatThrownBy(() -> other.handleEventsWith((box, sequence, end) -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(refusal);
        assertThatThrownBy(() -> other.handleEventsWith(own))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(refusal);
        graph.start(WaitStrategy.parking());
        other.close();
        publish(1);
        graph.drain(LONG);
        graph.close();
        assertThatThrownBy(() -> publish(2)).hasMessage("the graph of this ring was closed");
    }

    @Test
    void stopsTheGraphAndFailsPublishersWithTheReason() {
        graph.handleEventsWith((EventHandler<Box>) (box, sequence, end) -> {
            throw new IllegalStateException("disk on fire");
        });
        graph.start(WaitStrategy.parking());
        publish(1);
        assertThatThrownBy(graph::await)
                .isInstanceOf(StageStoppedException.class)
                .hasMessageContaining("stage stage-1 failed on event 0")
                .hasRootCauseMessage("disk on fire");
        assertThatThrownBy(() -> publish(2))
                .isInstanceOf(RingFailedException.class)
                .hasMessageContaining("stage stage-1 failed on event 0: java.lang.IllegalStateException: disk on fire");
    }

    @Test
    void goesOnAfterAnExceptionOrTriesAgainAsThePolicySays() throws Exception {
        List<Long> continued = new ArrayList<>();
        List<Long> retried = new ArrayList<>();
        int[] attempts = {0};
        EventHandler<Box> a = (box, sequence, end) -> {
            if (box.value == 1) {
                throw new IllegalStateException("bad event");
            }
            continued.add(box.value);
        };
        EventHandler<Box> b = (box, sequence, end) -> {
            if (box.value == 1 && attempts[0]++ < 2) {
                throw new IllegalStateException("busy");
            }
            retried.add(box.value);
        };
        graph.handleEventsWith(a, b);
        graph.settings(a).name("a").onException((stage, thrown, sequence, attempt) -> Action.CONTINUE);
        graph.settings(b).name("b").onException(ExceptionPolicy.retry(2, ExceptionPolicy.stop()));
        graph.start(WaitStrategy.parking(), 1);
        for (int i = 0; i < 3; i++) {
            publish(i);
        }
        graph.drain(LONG);
        graph.close();
        assertThat(continued).containsExactly(0L, 2L);
        assertThat(retried).containsExactly(0L, 1L, 2L);
        assertThatThrownBy(() -> graph.settings(a).maxBatch(1)).hasMessageContaining("has been started");
    }

    @Test
    void letsAHandlerRetryRewindAndStopWithoutExceptions() {
        List<Long> seen = new ArrayList<>();
        Set<Long> before = new HashSet<>();
        graph.handleControlledWith((box, sequence, end) -> {
            seen.add(box.value);
            if (box.value == 1 && before.add(1L)) {
                return Action.REWIND;
            }
            if (box.value == 2 && before.add(2L)) {
                return Action.RETRY;
            }
            return box.value == 3 ? Action.STOP : Action.CONTINUE;
        });
        for (int i = 0; i < 5; i++) {
            publish(i);
        }
        graph.start(WaitStrategy.parking());
        assertThatThrownBy(graph::await).hasMessageContaining("stage stage-1 asked to stop at event 3");
        assertThat(seen).containsExactly(0L, 1L, 0L, 1L, 2L, 2L, 3L);
        assertThat(graph.snapshot().getFirst().position()).isEqualTo(4);
    }

    @Test
    void handsOverRangesNoLargerThanTheLimitAndTellsTheirSize() throws Exception {
        List<String> ranges = new ArrayList<>();
        BatchHandler<Box> handler = new BatchHandler<>() {
            @Override
            public void onBatch(RingBuffer<Box> events, long first, long end) {
                ranges.add(first + "-" + end);
            }

            @Override
            public void onBatchStart(long batchSize, long queueDepth) {
                ranges.add(batchSize + " of " + queueDepth);
            }
        };
        graph.handleBatchesWith(handler);
        graph.settings(handler).maxBatch(4);
        RingBuffer<Box> boxes = ring;
        long first = boxes.claim(6);
        boxes.publish(first);
        boxes.publish(first + 1);
        boxes.abort(first + 2);
        boxes.publish(first + 3, 3);
        graph.start(WaitStrategy.parking());
        graph.drain(LONG);
        graph.close();
        assertThat(ranges).containsExactly("4 of 6", "0-2", "3-4", "2 of 2", "4-6");
    }

    @Test
    void tellsWhatIsThereInAllForAStageBehindAnother() throws Exception {
        List<String> batches = new ArrayList<>();
        EventHandler<Box> first = (box, sequence, end) -> {};
        EventHandler<Box> second = new EventHandler<>() {
            @Override
            public void onEvent(Box box, long sequence, boolean endOfBatch) {}

            @Override
            public void onBatchStart(long batchSize, long queueDepth) {
                batches.add(batchSize + " of " + queueDepth);
            }
        };
        graph.handleEventsWith(first).then(second);
        graph.settings(second).maxBatch(2);
        publish(0);
        publish(1);
        publish(2);
        graph.start(WaitStrategy.parking(), 1);
        graph.drain(LONG);
        graph.close();
        assertThat(batches).containsExactly("2 of 3", "1 of 1");
    }

    @Test
    void sharesEventsSoThatEachGoesToExactlyOneHandler() throws Exception {
        Set<Long> seen = ConcurrentHashMap.newKeySet();
        Set<Integer> workers = ConcurrentHashMap.newKeySet();
        long[] after = {0};
        graph.shareEventsAmong(sharer(0, seen, workers), sharer(1, seen, workers), sharer(2, seen, workers))
                .then((box, sequence, end) -> after[0] += seen.contains(box.value) ? 1 : 0);
        graph.start(WaitStrategy.parking());
        for (int i = 0; i < 5000; i++) {
            publish(i);
        }
        graph.drain(LONG);
        graph.close();
        assertThat(seen).hasSize(5000);
        assertThat(after[0]).isEqualTo(5000);
    }

    private static EventHandler<Box> sharer(int id, Set<Long> seen, Set<Integer> workers) {
        return (box, sequence, end) -> {
            workers.add(id);
            if (!seen.add(box.value)) {
                throw new AssertionError("event " + box.value + " was handled twice");
            }
        };
    }

    @Test
    void handlersJoinAndLeaveWhileEventsFlow() throws Exception {
        List<Long> joined = Collections.synchronizedList(new ArrayList<>());
        EventHandler<Box> first = (box, sequence, end) -> {};
        EventHandler<Box> second = (box, sequence, end) -> joined.add(sequence);
        graph.handleEventsWith(first);
        graph.start(WaitStrategy.parking());
        Thread publisher = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < 20_000; i++) {
                publish(i);
            }
        });
        while (ring.claimed() < 100) {
            Thread.onSpinWait();
        }
        long from = graph.join("second", second);
        while (joined.size() < 100) {
            Thread.onSpinWait();
        }
        long to = graph.leave(second);
        publisher.join();
        graph.drain(LONG);
        assertThat(joined).hasSize((int) (to - from));
        assertThat(joined.getFirst()).isEqualTo(from);
        assertThat(joined.getLast()).isEqualTo(to - 1);
        graph.close();
    }

    @Test
    void aStageOthersWaitForCannotLeave() {
        EventHandler<Box> a = (box, sequence, end) -> {};
        EventHandler<Box> b = (box, sequence, end) -> {};
        graph.handleEventsWith(a).then(b);
        graph.settings(a).name("a");
        graph.settings(b).name("b");
        graph.start(WaitStrategy.parking());
        assertThatThrownBy(() -> graph.leave(a)).hasMessage("stage a cannot leave: stage b waits for it");
        graph.leave(b);
        for (int i = 0; i < 100; i++) {
            publish(i);
        }
        graph.close();
    }

    @Test
    void tellsAHandlerThatNothingHasCome() throws Exception {
        CountDownLatch told = new CountDownLatch(2);
        EventHandler<Box> handler = new EventHandler<>() {
            @Override
            public void onEvent(Box box, long sequence, boolean endOfBatch) {}

            @Override
            public void onTimeout(long sequence) {
                told.countDown();
            }
        };
        graph.handleEventsWith(handler);
        graph.settings(handler).timeout(Duration.ofMillis(2));
        graph.start(WaitStrategy.parking());
        Await.done(told);
        graph.close();
    }

    @Test
    void startsAndShutsDownEachHandlerOnce() {
        List<String> calls = Collections.synchronizedList(new ArrayList<>());
        graph.handleEventsWith(new EventHandler<Box>() {
            @Override
            public void onEvent(Box box, long sequence, boolean endOfBatch) {}

            @Override
            public void onStart() {
                calls.add("start");
            }

            @Override
            public void onShutdown() {
                calls.add("shutdown");
            }
        });
        graph.start(WaitStrategy.parking());
        graph.close();
        graph.close();
        assertThat(calls).containsExactly("start", "shutdown");
        assertThatThrownBy(() -> publish(1)).hasMessage("the graph of this ring was closed");
    }

    @Test
    void saysThatAClosedGraphCannotBeUsedAgain() {
        EventHandler<Box> handler = (box, sequence, end) -> {};
        graph.handleEventsWith(handler);
        graph.start(WaitStrategy.parking());
        assertThatThrownBy(() -> graph.start(WaitStrategy.parking()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("cannot start it again: the graph has been started");
        graph.close();
        assertThatThrownBy(() -> graph.start(WaitStrategy.parking()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("cannot start it: the graph has ended, and its ring takes nothing any more "
                        + "(the graph of this ring was closed); make a new ring and a new graph");
        assertThatThrownBy(() -> graph.join("late", (box, sequence, end) -> {}))
                .hasMessageContaining("this one has ended");
    }

    @Test
    void drawsItself() throws Exception {
        EventHandler<Box> journal = (box, sequence, end) -> {};
        EventHandler<Box> logic = (box, sequence, end) -> {};
        graph.handleEventsWith(journal).then(logic);
        graph.settings(journal).name("journal");
        graph.settings(logic).name("logic");
        publish(1);
        assertThat(graph.picture()).isEqualTo("""
            ring: capacity 8, claimed 1, depth 1 (12 %)
              ring ─▶ journal  at 0, lag 1
              journal ─▶ logic    at 0, lag 1
            """);
        assertThat(graph.mermaid()).isEqualTo("""
            graph LR
              ring([ring<br/>depth 1 of 8])
              s0["journal<br/>lag 1"]
              s1["logic<br/>lag 1"]
              ring --> s0
              s0 --> s1
            """);
        graph.start(WaitStrategy.parking());
        graph.drain(LONG);
        assertThat(graph.picture()).contains("logic    at 1, lag 0");
        graph.close();
    }

    @Test
    void drawsNamesAndNumbersSoThatTheyBreakNothing() {
        EventHandler<Box> handler = (box, sequence, end) -> {};
        graph.handleEventsWith(handler);
        graph.settings(handler).name("a\nb\"]<b>&#\u202e\u2028\u001b");
        Locale usual = Locale.getDefault(Locale.Category.FORMAT);
        Locale.setDefault(Locale.Category.FORMAT, Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            assertThat(graph.mermaid()).isEqualTo("""
                graph LR
                  ring([ring<br/>depth 0 of 8])
                  s0["a\uFFFDb#quot;]#lt;b#gt;#amp;#35;\uFFFD\uFFFD\uFFFD<br/>lag 0"]
                  ring --> s0
                """);
            ring.fail("line 1\nline 2", null);
            assertThat(graph.picture()).isEqualTo("""
                ring: capacity 8, claimed 0, depth 0 (0 %), FAILED: line 1\uFFFDline 2
                  ring ─▶ a\uFFFDb"]<b>&#\uFFFD\uFFFD\uFFFD  at 0, lag 0
                """);
        } finally {
            Locale.setDefault(Locale.Category.FORMAT, usual);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void runsTheSameGraphOverFrames(boolean many) throws Exception {
        ValueLayout.OfLong value = ValueLayout.JAVA_LONG_UNALIGNED;
        long[] sums = new long[2];
        try (FrameRing frames = many
                ? FrameRing.forManyPublishers(256, WaitStrategy.parking())
                : FrameRing.forOnePublisher(256, WaitStrategy.parking())) {
            FrameGraph its = FrameGraph.of(frames);
            its.handleFramesWith(
                            (memory, offset, length, end) -> sums[0] += memory.get(value, offset + Frame.HEADER_BYTES))
                    .then((memory, offset, length, end) -> sums[1] += memory.get(value, offset + Frame.HEADER_BYTES));
            its.start(WaitStrategy.parking());
            FrameClaim claims = frames.newClaim();
            for (int i = 0; i < 1000; i++) {
                try (var claim = claims.claim(8 + i % 50)) {
                    claim.memory().set(value, claim.offset(), i);
                    if (i % 10 != 0) {
                        claim.publish();
                    }
                }
            }
            its.drain(LONG);
            its.close();
        }
        long expected = 999 * 1000 / 2 - 10 * (99 * 100 / 2);
        assertThat(sums).containsExactly(expected, expected);
    }

    private void publish(long value) {
        long sequence = ring.claim();
        ring.get(sequence).value = value;
        ring.publish(sequence);
    }

    static final class Box {
        long value;
        boolean fizz;
        boolean buzz;
    }
}
