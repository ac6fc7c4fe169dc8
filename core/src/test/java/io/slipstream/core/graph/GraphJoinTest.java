package io.slipstream.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.handler.Action;
import io.slipstream.core.handler.BatchHandler;
import io.slipstream.core.handler.ControlledEventHandler;
import io.slipstream.core.handler.EventHandler;
import io.slipstream.core.handler.StageListener;
import io.slipstream.core.ring.EventPoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.Ring;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who joins and leaves a graph that runs, and where each stands. */
class GraphJoinTest {
    private static final Duration LONG = Await.PATIENCE;

    private final RingBuffer<long[]> ring = RingBuffer.forManyPublishers(() -> new long[1], 8);
    private final EventGraph<long[]> graph = EventGraph.of(ring);
    private final List<String> seen = Collections.synchronizedList(new ArrayList<>());
    private final EventHandler<long[]> first = (event, sequence, end) -> {};

    @AfterEach
    void close() {
        graph.close();
    }

    @Test
    void nobodyInsteadOfAHandlerIsRefusedAndHarmsNobody() throws Exception {
        assertThatThrownBy(() -> graph.handleEventsWith((EventHandler<long[]>) null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("handler");
        assertThatThrownBy(() -> graph.handleEventsWith(first, null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("handlers[1]");
        assertThatThrownBy(() -> graph.handleEventsWith((Stage) null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("stage");
        assertThatThrownBy(() -> graph.after((Object) null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("handler");
        assertThatThrownBy(graph::handleBatchesWith)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("give at least one handler");
        assertThatThrownBy(graph::shareEventsAmong)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("give at least one handler");
        assertThatThrownBy(graph::after)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("give at least one handler");
        start();
        StageSettings settings = StageSettings.named("nobody");
        assertThatThrownBy(() -> graph.join("nobody", null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("handler");
        assertThatThrownBy(() -> graph.joinControlled(settings, null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("handler");
        assertThatThrownBy(() -> graph.joinBatches(settings, null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("handler");
        assertThatThrownBy(() -> graph.join(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("stage");
        assertThatThrownBy(() -> graph.join((String) null, first))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("name");
        assertThatThrownBy(() -> graph.join((StageSettings) null, first))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("settings");
        ring.publish(ring.claim());
        graph.drain(LONG);
        assertThat(ring.failure()).isNull();
    }

    @Test
    void equalHandlersAreTwoHandlers() throws Exception {
        Named one = new Named("same");
        Named another = new Named("same");
        graph.handleEventsWith(one, another);
        graph.start(WaitStrategy.parking());
        Named late = new Named("same");
        graph.join("late", late);
        ring.publish(ring.claim());
        graph.drain(LONG);
        assertThat(graph.positionOf(another)).isEqualTo(1);
        assertThat(graph.snapshot()).extracting(StageSnapshot::name).containsExactly("stage-1", "stage-2", "late");
        assertThatThrownBy(() -> graph.positionOf(new Named("same")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("this handler is not in the graph");
        assertThat(graph.leave(late)).isEqualTo(1);
        assertThatThrownBy(() -> graph.join("again", one))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("this handler is in the graph already, as stage stage-1");
    }

    @Test
    void handlersWhoseHashChangesAreFoundAgain() throws Exception {
        Keeping one = new Keeping();
        Keeping another = new Keeping();
        graph.handleEventsWith(one).then(another);
        graph.start(WaitStrategy.parking());
        ring.publish(ring.claim(3), 3);
        graph.drain(LONG);
        assertThat(another).containsExactly(0L, 1L, 2L);
        assertThat(graph.positionOf(one)).isEqualTo(3);
        assertThat(graph.leave(another)).isEqualTo(3);
        graph.after(one).join("another", another);
    }

    private record Named(String name) implements EventHandler<long[]> {
        @Override
        public void onEvent(long[] event, long sequence, boolean endOfBatch) {}
    }

    private static final class Keeping extends ArrayList<Long> implements EventHandler<long[]> {
        private static final long serialVersionUID = 1;

        @Override
        public void onEvent(long[] event, long sequence, boolean endOfBatch) {
            add(sequence);
        }
    }

    @Test
    void everyKindOfHandlerMayJoinWithSettingsOfItsOwn() throws Exception {
        start();
        BatchHandler<long[]> batches = (events, from, end) -> seen.add("batch of " + (end - from));
        ControlledEventHandler<long[]> controlled = (event, sequence, end) -> {
            seen.add("controlled " + sequence);
            return Action.CONTINUE;
        };
        EventHandler<long[]> failing = (event, sequence, end) -> {
            throw new IllegalStateException("never mind");
        };
        assertThat(graph.joinBatches(StageSettings.named("batches").withMaxBatch(1), batches))
                .isEqualTo(1);
        graph.joinControlled(StageSettings.named("controlled"), controlled);
        graph.join(
                StageSettings.named("failing").withExceptionPolicy((stage, thrown, sequence, attempt) -> {
                    seen.add(stage + " failed at " + sequence);
                    return Action.CONTINUE;
                }),
                failing);
        Stage own = new Stage(ring, new StageListener() {}, StageSettings.named("own")) {
            @Override
            protected long handle(long from, long end) {
                seen.add("own from " + from);
                return end;
            }
        };
        graph.join(own);
        ring.publish(ring.claim(2), 2);
        graph.drain(LONG);
        assertThat(seen)
                .contains(
                        "batch of 1",
                        "controlled 1",
                        "controlled 2",
                        "failing failed at 1",
                        "failing failed at 2",
                        "own from 1")
                .doesNotContain("batch of 2");
        assertThat(graph.positionOf(batches)).isEqualTo(3);
        assertThat(graph.leave(own)).isEqualTo(3);
        assertThatThrownBy(() -> graph.positionOf(own)).hasMessage("this handler is not in the graph");
    }

    @Test
    void everyKindOfFrameHandlerMayJoin() throws Exception {
        try (FrameRing frames = FrameRing.forManyPublishers(1024, WaitStrategy.parking());
                FrameGraph frameGraph = FrameGraph.of(frames)) {
            frameGraph.handleFramesWith((memory, offset, length, end) -> {});
            frameGraph.start(WaitStrategy.parking());
            frameGraph.join(
                    StageSettings.named("one").withMaxBatch(16),
                    (memory, offset, length, end) -> seen.add("frame " + end));
            frameGraph.joinBatches(
                    StageSettings.named("batches"), (memory, offset, bytes) -> seen.add("run of " + bytes));
            frameGraph.joinControlled(StageSettings.named("controlled"), (memory, offset, length, end) -> {
                seen.add("controlled");
                return Action.CONTINUE;
            });
            frames.publish(frames.claim(8));
            frameGraph.drain(LONG);
            assertThat(seen).containsExactlyInAnyOrder("frame true", "run of 16", "controlled");
        }
    }

    @Test
    void aHandlerJoinsWhereThoseStandThatItIsBehind() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        EventHandler<long[]> slow = (event, sequence, end) -> {
            if (sequence == 2) {
                goOn.await();
            }
            seen.add("slow " + sequence);
        };
        graph.handleEventsWith(first, slow);
        graph.settings(slow).name("slow").maxBatch(1);
        graph.start(WaitStrategy.parking());
        ring.publish(ring.claim(4), 4);
        while (graph.positionOf(first) < 4 || graph.positionOf(slow) < 2) {
            Thread.onSpinWait();
        }
        EventHandler<long[]> behind = (event, sequence, end) -> seen.add("behind " + sequence);
        assertThat(graph.after(first, slow).join("behind", behind)).isEqualTo(2);
        assertThat(graph.picture()).contains("stage-1 + slow ─▶ behind");
        assertThatThrownBy(() -> graph.leave(slow)).hasMessage("stage slow cannot leave: stage behind waits for it");
        goOn.countDown();
        graph.drain(LONG);
        assertThat(seen.stream().filter(what -> what.startsWith("behind"))).containsExactly("behind 2", "behind 3");
        assertThat(seen.indexOf("slow 2")).isLessThan(seen.indexOf("behind 2"));
        assertThat(graph.leave(behind)).isEqualTo(4);
        EventGraph.Group<long[]> group = graph.after(slow);
        assertThat(graph.leave(slow)).isEqualTo(4);
        assertThatThrownBy(() -> group.join("late", behind))
                .hasMessage("no stage can join behind stage slow, which has left or is leaving");
        ring.publish(ring.claim(8), 8);
        ring.publish(ring.claim(8), 8);
        graph.drain(LONG);
    }

    @Test
    void everyKindOfHandlerMayJoinBehindOthers() throws Exception {
        start();
        EventGraph.Group<long[]> group = graph.after(first);
        group.joinBatches(
                StageSettings.named("batches").withMaxBatch(1), (events, from, end) -> seen.add("batch at " + from));
        group.joinControlled(StageSettings.named("controlled"), (event, sequence, end) -> {
            seen.add("controlled " + sequence);
            return Action.CONTINUE;
        });
        group.join(
                new BatchStage<>(ring, (events, from, end) -> seen.add("own at " + from), StageSettings.named("own")));
        ring.publish(ring.claim());
        graph.drain(LONG);
        assertThat(seen).containsExactlyInAnyOrder("batch at 1", "controlled 1", "own at 1");
    }

    @Test
    void whoCouldNotJoinLeavesNothingBehind() throws Exception {
        start();
        EventHandler<long[]> handler = (event, sequence, end) -> seen.add("event");
        assertThatThrownBy(() -> graph.join("stage-1", handler))
                .hasMessageStartingWith("there is a stage stage-1 in the graph already");
        RingBuffer<long[]> another = RingBuffer.forManyPublishers(() -> new long[1], 8);
        assertThatThrownBy(() ->
                        graph.join(new BatchStage<>(another, (events, from, end) -> {}, StageSettings.named("alien"))))
                .hasMessage("stage alien belongs to another ring");
        graph.join("mine", handler);
        assertThatThrownBy(() -> graph.join("again", handler))
                .hasMessage("this handler is in the graph already, as stage mine");
        assertThat(graph.snapshot()).hasSize(2);
        graph.leave(handler);
        graph.join("mine", handler);
        for (int i = 0; i < 20; i++) {
            ring.publish(ring.claim());
        }
        graph.drain(LONG);
        assertThat(seen).hasSize(20);
    }

    @Test
    void aStageLeavesOnlyOnce() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        start();
        EventHandler<long[]> slow = (event, sequence, end) -> {
            busy.countDown();
            goOn.await();
        };
        graph.join("slow", slow);
        ring.publish(ring.claim());
        busy.await();
        Thread leaving = Thread.ofPlatform().start(() -> graph.leave(slow));
        while (leaving.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThatThrownBy(() -> graph.leave(slow)).hasMessage("stage slow is leaving already");
        goOn.countDown();
        leaving.join();
        assertThat(graph.snapshot()).hasSize(1);
    }

    @Test
    void aPollerMayStandBehindAnyHandlersOfTheGraph() throws Exception {
        EventHandler<long[]> other = (event, sequence, end) -> {};
        graph.shareEventsAmong(first, other);
        graph.start(WaitStrategy.parking());
        ring.publish(ring.claim());
        graph.drain(LONG);
        EventPoller<long[]> poller = ring.newPoller(graph.after(first, other).asSequenceBarrier());
        assertThat(poller.sequence().getAcquire()).isEqualTo(1);
        ring.publish(ring.claim(8), 8);
        graph.drain(LONG);
        assertThat(ring.tryClaim()).isEqualTo(Ring.NO_ROOM);
        assertThat(poller.poll((event, sequence, end) -> true, 100)).isEqualTo(8);
        assertThat(ring.tryClaim()).isEqualTo(9);
        poller.close();
    }

    private void start() throws Exception {
        graph.handleEventsWith(first);
        graph.start(WaitStrategy.parking());
        ring.publish(ring.claim());
        graph.drain(LONG);
    }
}
