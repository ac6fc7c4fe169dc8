package io.slipstream.core.graph;

import io.slipstream.core.ring.RingBuffer;
import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.sequence.SequenceBarrier;
import io.slipstream.core.sequencer.RingBarrier;
import io.slipstream.core.thread.Signal;
import java.lang.invoke.VarHandle;
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
 * Consumers that join while events flow: behind a stage, and among those who are woken. They stand in this package to
 * reach the stage.
 */
public final class JoinRaces {
    /* Long enough for a stage to pass an event, and for its place to be claimed. */
    private static final int MOMENT = 20;

    private JoinRaces() {}

    /* One slot, one event, and a stage in front of it that publishers wait for. */
    private static final class Flow {
        private final RingBuffer<int[]> ring = RingBuffer.forOnePublisher(() -> new int[1], 1);
        private final Stage stage = new EventStage<>(ring, (event, sequence, end) -> {}, StageSettings.named("a"));
        private final SequenceBarrier behindStage = RingBarrier.of(stage.sequence());

        Flow() {
            ring.addGating(stage.sequence());
            ring.publish(ring.claim());
            stage.connect(ring.newBarrier(), true);
        }

        void work() {
            try {
                stage.work();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        /** Returns how many events could be claimed. */
        int workAndClaim() {
            work();
            return ring.tryClaim() >= 0 ? 1 : 0;
        }
    }

    /** Who joins behind a stage begins where the stage is, and nothing from there on is overwritten. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "1, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "publishers wait from where it joined")
    @Outcome(expect = Expect.FORBIDDEN, desc = "an event that it should see may be overwritten, or room not found")
    @State
    public static class JoinBehindStage {
        private final Flow flow = new Flow();

        /** Passes the event, and claims its place. */
        @Actor
        public void stageAndPublisher(II_Result result) {
            result.r1 = flow.workAndClaim();
        }

        /** Joins. */
        @Actor
        public void consumer(II_Result result) {
            result.r2 = (int) flow.ring.addGating(new Sequence(), flow.behindStage);
        }
    }

    /** Broken twin: looks where the stage is, and only then makes publishers wait. Must be found out. */
    @JCStressTest
    @JCStressMeta(JoinBehindStage.class)
    @State
    public static class BrokenJoinBehind {
        private final Flow flow = new Flow();

        /** Passes the event, and claims its place. */
        @Actor
        public void stageAndPublisher(II_Result result) {
            result.r1 = flow.workAndClaim();
        }

        /** Joins. */
        @Actor
        public void consumer(II_Result result) {
            Sequence sequence = new Sequence(flow.stage.sequence().getAcquire());
            for (int i = 0; i < MOMENT; i++) {
                Thread.onSpinWait();
            }
            flow.ring.sequencer().addGatingInPlace(sequence);
            result.r2 = (int) sequence.getAcquire();
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

    /** Who joins behind a stage sees what it passes, or is woken by it. */
    @JCStressTest
    @Outcome(
            id = {"true, false", "false, true", "true, true"},
            expect = Expect.ACCEPTABLE,
            desc = "seen, or woken")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a lost wake-up: asleep beside an event")
    @State
    public static class WakeBehindStage {
        private final Woken signal = new Woken();
        private final Flow flow = new Flow();

        /** Passes the event. */
        @Actor
        public void stage() {
            flow.work();
        }

        /** Joins, and looks as it does before it sleeps. */
        @Actor
        public void consumer(ZZ_Result result) {
            flow.stage.wake(List.of(signal));
            signal.arm();
            result.r1 = flow.behindStage.available(0, 1) > 0;
        }

        /** Looks whether it was woken. */
        @Arbiter
        public void rest(ZZ_Result result) {
            result.r2 = signal.woken;
        }
    }

    /**
     * Who joins behind the publishers of a ring that wakes others already sees what they publish, or is woken by them.
     */
    @JCStressTest
    @JCStressMeta(WakeBehindStage.class)
    @State
    public static class WakeBehindPublishers {
        private final Woken signal = new Woken();
        private final RingBuffer<int[]> ring = RingBuffer.forManyPublishers(() -> new int[1], 1);
        private final SequenceBarrier barrier = ring.newBarrier();

        /** Creates a ring that has woken somebody before. */
        public WakeBehindPublishers() {
            Signal before = new Signal();
            ring.addSignal(before);
            ring.removeSignal(before);
        }

        /** Publishes an event. */
        @Actor
        public void publisher() {
            ring.publish(ring.tryClaim());
        }

        /** Joins, and looks as it does before it sleeps. */
        @Actor
        public void consumer(ZZ_Result result) {
            ring.addSignal(signal);
            signal.arm();
            result.r1 = barrier.available(0, 1) > 0;
        }

        /** Looks whether it was woken. */
        @Arbiter
        public void rest(ZZ_Result result) {
            result.r2 = signal.woken;
        }
    }

    /** Broken twin: looks before its fence whom to wake. Must be found out. */
    @JCStressTest
    @JCStressMeta(WakeBehindStage.class)
    @State
    public static class BrokenWakeBehind {
        private final Woken signal = new Woken();
        private final Sequence sequence = new Sequence();
        private volatile Signal[] downstream = {};

        /** Passes the event. */
        @Actor
        public void stage() {
            sequence.setRelease(1);
            Signal[] known = downstream;
            VarHandle.fullFence();
            Signal.wakeAllFenced(known);
        }

        /** Joins, and looks as it does before it sleeps. */
        @Actor
        public void consumer(ZZ_Result result) {
            downstream = new Signal[] {signal};
            signal.arm();
            result.r1 = sequence.getAcquire() > 0;
        }

        /** Looks whether it was woken. */
        @Arbiter
        public void rest(ZZ_Result result) {
            result.r2 = signal.woken;
        }
    }
}
