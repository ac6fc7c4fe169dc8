package io.slipstream.core.graph;

import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.sequence.SequenceBarrier;
import io.slipstream.core.sequencer.RingBarrier;
import io.slipstream.core.thread.Signal;
import java.util.List;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Handlers that share their work, and a stage behind them. They stand in this package to reach the members of a share.
 */
public final class ShareRaces {
    private ShareRaces() {}

    private static RingBuffer<int[]> withOneEvent() {
        RingBuffer<int[]> ring = RingBuffer.forOnePublisher(() -> new int[1], 2);
        ring.publish(ring.claim());
        return ring;
    }

    private static void work(Stage stage) {
        try {
            stage.work();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Two members and one event. */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "one of them")
    @Outcome(expect = Expect.FORBIDDEN, desc = "handled twice or by nobody")
    @State
    public static class TwoMembers {
        private final WorkShare.OfEvents<int[]> share = new WorkShare.OfEvents<>(withOneEvent());
        private int byFirst;
        private int bySecond;
        private final Stage first = share.add((event, sequence, end) -> byFirst++, StageSettings.named("a"));
        private final Stage second = share.add((event, sequence, end) -> bySecond++, StageSettings.named("b"));

        /** Works. */
        @Actor
        public void first(II_Result result) {
            work(first);
            result.r1 = byFirst;
        }

        /** Works. */
        @Actor
        public void second(II_Result result) {
            work(second);
            result.r2 = bySecond;
        }
    }

    /** Two members and one frame. */
    @JCStressTest
    @JCStressMeta(TwoMembers.class)
    @State
    public static class TwoMembersOfFrames {
        private final FrameRing ring = new FrameRing(64);
        private final WorkShare.OfFrames share = new WorkShare.OfFrames(ring);
        private int byFirst;
        private int bySecond;
        private final Stage first = share.add((memory, offset, length, end) -> byFirst++, StageSettings.named("a"));
        private final Stage second = share.add((memory, offset, length, end) -> bySecond++, StageSettings.named("b"));

        /** Publishes the frame. */
        public TwoMembersOfFrames() {
            ring.publish(ring.claim(8));
        }

        /** Works. */
        @Actor
        public void first(II_Result result) {
            work(first);
            result.r1 = byFirst;
        }

        /** Works. */
        @Actor
        public void second(II_Result result) {
            work(second);
            result.r2 = bySecond;
        }

        /** Frees the memory. */
        @Arbiter
        public void close() {
            ring.close();
        }
    }

    /** Broken twin: reads what is next, and then moves it. Must be found out. */
    @JCStressTest
    @JCStressMeta(TwoMembers.class)
    @State
    public static class BrokenShare {
        private volatile int next;

        private int take() {
            if (next == 0) {
                next = 1;
                return 1;
            }
            return 0;
        }

        /** Works. */
        @Actor
        public void first(II_Result result) {
            result.r1 = take();
        }

        /** Works. */
        @Actor
        public void second(II_Result result) {
            result.r2 = take();
        }
    }

    /** A stage behind the share sees an event only when it was handled. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "not passed yet")
    @Outcome(
            id = {"1, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "passed, and handled")
    @Outcome(expect = Expect.FORBIDDEN, desc = "passed before it was handled")
    @State
    public static class MemberAndFollower {
        private final WorkShare.OfEvents<int[]> share = new WorkShare.OfEvents<>(withOneEvent());
        private int handled;
        private final Stage member = share.add((event, sequence, end) -> handled = 1, StageSettings.named("a"));
        private final SequenceBarrier barrier =
                RingBarrier.of(member.sequences().toArray(Sequence[]::new));

        /** Works. */
        @Actor
        public void member() {
            work(member);
        }

        /** Looks how far it may go. */
        @Actor
        public void follower(II_Result result) {
            if (barrier.available(0, 1) > 0) {
                result.r1 = 1;
                result.r2 = handled;
            }
        }
    }

    /** Broken twin: reads the sequences in the wrong order. Must be found out. */
    @JCStressTest
    @JCStressMeta(MemberAndFollower.class)
    @State
    public static class BrokenOrderOfReading {
        private final WorkShare.OfEvents<int[]> share = new WorkShare.OfEvents<>(withOneEvent());
        private volatile int handled;
        private final Stage member = share.add(
                (event, sequence, end) -> {
                    Thread.onSpinWait();
                    handled = 1;
                },
                StageSettings.named("a"));

        /** Works. */
        @Actor
        public void member() {
            work(member);
        }

        /** Looks how far it may go. */
        @Actor
        public void follower(II_Result result) {
            long own = member.sequence().getAcquire();
            Thread.onSpinWait();
            if (Math.min(own, share.work().getAcquire()) > 0) {
                result.r1 = 1;
                result.r2 = handled;
            }
        }
    }

    /** A signal that only notes that it was woken. */
    private static final class Woken extends Signal {
        private volatile boolean woken;

        @Override
        protected void interruptSleep(Thread thread) {
            woken = true;
        }
    }

    /** A member that loses the race for an event wakes the stage behind, which may have seen it hold the event back. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true", "true, true"},
            expect = Expect.ACCEPTABLE,
            desc = "passed, or woken when it was")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a lost wake-up: asleep beside an event that was passed")
    @State
    public static class LoserAndFollower {
        private final Woken signal = new Woken();
        private final RingBuffer<int[]> ring = withOneEvent();
        private final WorkShare.OfEvents<int[]> share = new WorkShare.OfEvents<>(ring);
        private final Stage first = member();
        private final Stage second = member();
        private final SequenceBarrier barrier = RingBarrier.of(share.work(), first.sequence(), second.sequence());

        private Stage member() {
            Stage member = share.add((event, sequence, end) -> {}, StageSettings.named("a"));
            member.connect(ring.newBarrier(), true);
            member.wake(List.of(signal));
            return member;
        }

        /** Works. */
        @Actor
        public void loser() {
            work(first);
        }

        /** Works, and then looks as the stage behind does before it sleeps. */
        @Actor
        public void winnerAndFollower(ZZ_Result result) {
            work(second);
            signal.arm();
            result.r1 = barrier.available(0, 1) > 0;
        }

        /** Looks whether it was woken. */
        @Arbiter
        public void rest(ZZ_Result result) {
            result.r2 = signal.woken;
        }
    }

    /** Broken twin: the loser gives up silently. Must be found out. */
    @JCStressTest
    @JCStressMeta(LoserAndFollower.class)
    @State
    public static class BrokenLoser {
        private final Woken signal = new Woken();
        private final Sequence work = new Sequence();
        private final Sequence first = new Sequence(WorkShare.NOTHING);
        private final Sequence second = new Sequence(WorkShare.NOTHING);
        private final SequenceBarrier barrier = RingBarrier.of(work, first, second);

        private void work(Sequence own) {
            if (work.getAcquire() == 0) {
                own.setRelease(0);
                Thread.onSpinWait();
                boolean won = work.compareAndSet(0, 1);
                own.setRelease(WorkShare.NOTHING);
                if (won) {
                    signal.wake();
                }
            }
        }

        /** Works. */
        @Actor
        public void loser() {
            work(first);
        }

        /** Works, and then looks as the stage behind does before it sleeps. */
        @Actor
        public void winnerAndFollower(ZZ_Result result) {
            work(second);
            signal.arm();
            result.r1 = barrier.available(0, 1) > 0;
        }

        /** Looks whether it was woken. */
        @Arbiter
        public void rest(ZZ_Result result) {
            result.r2 = signal.woken;
        }
    }
}
