package io.slipstream.core.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slipstream.core.handler.Action;
import io.slipstream.core.handler.EventHandler;
import io.slipstream.core.handler.ExceptionPolicy;
import io.slipstream.core.handler.StageListener;
import io.slipstream.core.ring.EventPoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.Ring;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.sequence.SequenceBarrier;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.testkit.Await;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each word of the graph's language: who sees an event before whom. */
class GraphShapesTest {
    private static final int EVENTS = 500;

    private final RingBuffer<Trace> ring = RingBuffer.forManyPublishers(Trace::new, 8);
    private final EventGraph<Trace> graph = EventGraph.of(ring);
    private final List<String> wrong = Collections.synchronizedList(new ArrayList<>());

    /** Which handlers have passed an event, as bits. */
    static final class Trace {
        private volatile int passed;
    }

    @AfterEach
    void close() {
        graph.close();
    }

    /** A handler that must come after others; bits are set by one handler at a time only where the shape says so. */
    private EventHandler<Trace> handler(int bit, int mustBeSet) {
        return (event, sequence, end) -> {
            synchronized (event) {
                if ((event.passed & mustBeSet) != mustBeSet) {
                    wrong.add("handler " + bit + " saw " + event.passed + " at " + sequence);
                }
                event.passed = event.passed | bit;
            }
        };
    }

    private void runAll(int all) throws Exception {
        graph.start(WaitStrategy.parking());
        EventPoller<Trace> last = ring.newPoller();
        for (int i = 0; i < EVENTS; i++) {
            long sequence = ring.claim();
            ring.get(sequence).passed = 0;
            ring.publish(sequence);
            graph.drain(Await.PATIENCE);
            assertThat(last.poll(
                            (event, at, end) -> {
                                assertThat(event.passed).isEqualTo(all);
                                return true;
                            },
                            1))
                    .isEqualTo(1);
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void branchesAfterAHandlerAndJoinsBranchesAgain() throws Exception {
        EventHandler<Trace> a = handler(1, 0);
        EventHandler<Trace> b = handler(2, 1);
        EventHandler<Trace> c = handler(4, 0);
        EventHandler<Trace> d = handler(8, 1 + 2 + 4);
        graph.handleEventsWith(a, c);
        graph.after(a).handleEventsWith(b);
        graph.after(b).and(graph.after(c)).then(d);
        runAll(15);
    }

    @Test
    void putsControlledHandlersRangesAndSharesBehindOthers() throws Exception {
        EventHandler<Trace> a = handler(1, 0);
        EventHandler<Trace> controlled = handler(2, 1);
        EventHandler<Trace> batched = handler(4, 1 + 2);
        graph.handleEventsWith(a)
                .thenControlled((event, sequence, end) -> {
                    controlled.onEvent(event, sequence, end);
                    return Action.CONTINUE;
                })
                .thenBatches((events, first, end) -> {
                    for (long at = first; at < end; at++) {
                        batched.onEvent(events.get(at), at, false);
                    }
                })
                .thenShareAmong(handler(8, 7), handler(8, 7));
        runAll(15);
    }

    @Test
    void runsAStageOfTheUsersOwn() throws Exception {
        EventHandler<Trace> a = handler(1, 0);
        EventHandler<Trace> own = handler(2, 1);
        Stage stage = new Stage(ring, new StageListener() {}, new StageSettings("own", 2, 0, ExceptionPolicy.stop())) {
            @Override
            protected long handle(long first, long end) throws Exception {
                for (long at = first; at < end; at++) {
                    own.onEvent(ring.get(at), at, at == end - 1);
                }
                return end;
            }
        };
        graph.handleEventsWith(a).then(stage).then(handler(4, 3));
        runAll(7);
        Stage foreign =
                new Stage(
                        RingBuffer.forOnePublisher(Trace::new, 2),
                        new StageListener() {},
                        new StageSettings("foreign", 2, 0, ExceptionPolicy.stop())) {
                    @Override
                    protected long handle(long first, long end) {
                        return end;
                    }
                };
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EventGraph.of(ring).handleEventsWith(foreign))
                .withMessage("stage foreign belongs to another ring");
    }

    @Test
    void refusesBarriersGroupsAndStagesOfOthers() {
        RingBuffer<Trace> otherRing = RingBuffer.forOnePublisher(Trace::new, 2);
        assertThatThrownBy(() -> ring.newPoller(otherRing.newBarrier()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("a barrier of a ring with capacity 2 cannot be used with another ring, "
                        + "which has capacity " + ring.capacity());
        assertThatThrownBy(() -> ring.newPoller(otherRing.newBarrier(new Sequence())))
                .isInstanceOf(IllegalArgumentException.class);
        try (FrameRing frames = new FrameRing(64);
                FrameRing otherFrames = FrameRing.forOnePublisher(64, WaitStrategy.parking())) {
            assertThatThrownBy(() -> frames.newPoller(otherRing.newBarrier()))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> frames.newPoller(otherFrames.newBarrier()))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> otherFrames.newPoller(frames.newBarrier()))
                    .isInstanceOf(IllegalArgumentException.class);
            FrameGraph.Group some = FrameGraph.of(frames).handleFramesWith((memory, offset, length, end) -> {});
            FrameGraph.Group others = FrameGraph.of(otherFrames).handleFramesWith((memory, offset, length, end) -> {});
            assertThatThrownBy(() -> some.and(others))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("stages stage-1 and stages stage-1 are of different graphs; nothing can wait for both");
        }
        EventGraph<Trace> otherGraph = EventGraph.of(otherRing);
        EventGraph.Group<Trace> group = otherGraph.handleEventsWith((trace, sequence, end) -> {});
        EventHandler<Trace> own = (trace, sequence, end) -> {};
        EventGraph.Group<Trace> ownGroup = graph.handleEventsWith(own);
        graph.settings(own).name("own");
        assertThatThrownBy(() -> ownGroup.and(group))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("stages own and stages stage-1 are of different graphs; nothing can wait for both");
    }

    @Test
    void letsAConsumerOutsideTheGraphStayBehindAGroup() throws Exception {
        EventHandler<Trace> a = handler(1, 0);
        EventGraph.Group<Trace> group = graph.handleEventsWith(a);
        Sequence outside = new Sequence();
        ring.addGating(outside);
        graph.start(WaitStrategy.parking());
        SequenceBarrier barrier = group.asSequenceBarrier();
        for (int i = 0; i < 8; i++) {
            ring.publish(ring.claim());
        }
        graph.drain(Await.PATIENCE);
        assertThat(barrier.available(0, 100)).isEqualTo(8);
        assertThat(ring.tryClaim()).isEqualTo(Ring.NO_ROOM);
        outside.setRelease(8);
        ring.roomMade();
        assertThat(ring.tryClaim()).isEqualTo(8);
    }

    @Test
    void setsTheExceptionPolicyOfAllStagesThatHaveNoneOfTheirOwn() throws Exception {
        List<String> failed = Collections.synchronizedList(new ArrayList<>());
        ExceptionPolicy ofAll = (stage, thrown, sequence, attempt) -> {
            failed.add(stage);
            return Action.CONTINUE;
        };
        ExceptionPolicy ofOne = (stage, thrown, sequence, attempt) -> {
            failed.add(stage + " by itself");
            return Action.CONTINUE;
        };
        List<EventHandler<Trace>> handlers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int number = i;
            handlers.add((event, sequence, end) -> {
                throw new IllegalStateException("each " + number);
            });
        }
        graph.handleEventsWith(handlers.get(0)).then(handlers.get(1)).then(handlers.get(2));
        graph.settings(handlers.get(1)).onException(ofOne);
        graph.settings(handlers.get(2)).name("third");
        graph.defaultExceptionPolicy(ofAll);
        graph.after(handlers.get(2)).handleEventsWith(handlers.get(3));
        graph.start(WaitStrategy.parking());
        ring.publish(ring.claim());
        graph.drain(Await.PATIENCE);
        assertThat(failed).containsExactly("stage-1", "stage-2 by itself", "third", "stage-4");
    }

    @Test
    void logsAndContinues() {
        Exception withoutTrace = new Exception("expected in this test", null, false, false) {};
        assertThat(ExceptionPolicy.logAndContinue().onException("s", withoutTrace, 7, 1))
                .isEqualTo(Action.CONTINUE);
        assertThat(ExceptionPolicy.retry(1, ExceptionPolicy.logAndContinue())
                        .onException("s", new IllegalStateException(), 7, 1))
                .isEqualTo(Action.RETRY);
        assertThatIllegalArgumentException().isThrownBy(() -> ExceptionPolicy.retry(0, ExceptionPolicy.stop()));
    }
}
