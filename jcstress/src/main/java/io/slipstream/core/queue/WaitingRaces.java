package io.slipstream.core.queue;

import io.slipstream.core.thread.Sleepers;
import io.slipstream.core.thread.WaitStrategy;
import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Two wait at a queue. The one whose time is over leaves in the moment in which one comes for whom both have waited,
 * and may be the one that is woken for it; then it must wake the other one. It stands in the package of the queue to
 * reach its parts.
 */
public final class WaitingRaces {
    private static final WaitStrategy PARKING =
            new WaitStrategy(0, 0, WaitStrategy.UNTIL_WOKEN_NANOS, WaitStrategy.UNTIL_WOKEN_NANOS, true);

    /** How often {@link #spin} was called; any value will do. */
    private static int turn;

    private WaitingRaces() {}

    /** The one that waits needs some time until it leaves; so the other one begins sooner or later in each turn. */
    private static void spin() {
        for (int i = turn++ & 15; i > 0; i--) {
            Thread.onSpinWait();
        }
    }

    /**
     * Lets somebody sleep at the second place, so that whoever comes next gets the first one and is the first to be
     * woken.
     */
    private static void sleepSecond(Sleepers sleepers) {
        Sleepers.Place first = sleepers.arm();
        sleepers.arm();
        first.disarm();
    }

    /** An element comes while a taker gives up. */
    @JCStressTest
    @Outcome(
            id = {"true, true", "true, false"},
            expect = Expect.ACCEPTABLE,
            desc = "it got the element")
    @Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "it left, and the other one was woken")
    @Outcome(expect = Expect.FORBIDDEN, desc = "an element is there, and the other one sleeps")
    @State
    public static class TakerThatLeaves {
        private final WaitingQueue<String> queue;

        /** An empty queue. */
        public TakerThatLeaves() {
            this(new WaitingQueue<>(new ManyToManyQueue<>(2), PARKING));
        }

        TakerThatLeaves(WaitingQueue<String> queue) {
            this.queue = queue;
            sleepSecond(queue.takers);
        }

        /** Waits for a moment. */
        @Actor
        public void taker(ZZ_Result result) {
            try {
                result.r1 = queue.poll(1, TimeUnit.NANOSECONDS) != null;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Adds one. */
        @Actor
        public void producer() {
            spin();
            queue.offer("element");
        }

        /** Looks whether the other one still sleeps. */
        @Arbiter
        public void rest(ZZ_Result result) {
            result.r2 = queue.takers.isAnyoneListed();
        }
    }

    /** Broken twin: who leaves does not look whether the wake-up was for it. Must be found out. */
    @JCStressTest
    @JCStressMeta(TakerThatLeaves.class)
    @State
    public static class BrokenLeavingTaker extends TakerThatLeaves {
        /** An empty queue. */
        public BrokenLeavingTaker() {
            super(new WaitingQueue<>(new ManyToManyQueue<>(2), PARKING) {
                @Override
                void handElementsOn() {
                    // Leaves it to others.
                }
            });
        }

        /** Waits for a moment. */
        @Override
        @Actor
        public void taker(ZZ_Result result) {
            super.taker(result);
        }

        /** Adds one. */
        @Override
        @Actor
        public void producer() {
            super.producer();
        }

        /** Looks whether the other one still sleeps. */
        @Override
        @Arbiter
        public void rest(ZZ_Result result) {
            super.rest(result);
        }
    }

    /** A place becomes free while a putter gives up. */
    @JCStressTest
    @Outcome(
            id = {"true, true", "true, false"},
            expect = Expect.ACCEPTABLE,
            desc = "it got the place")
    @Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "it left, and the other one was woken")
    @Outcome(expect = Expect.FORBIDDEN, desc = "there is room, and the other one sleeps")
    @State
    public static class PutterThatLeaves {
        private final WaitingQueue<String> queue;

        /** A full queue. */
        public PutterThatLeaves() {
            this(new WaitingQueue<>(new ManyToManyQueue<>(2), PARKING));
        }

        PutterThatLeaves(WaitingQueue<String> queue) {
            this.queue = queue;
            queue.offer("first");
            queue.offer("second");
            sleepSecond(queue.putters);
        }

        /** Waits for a moment. */
        @Actor
        public void putter(ZZ_Result result) {
            try {
                result.r1 = queue.offer("third", 1, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Takes one. */
        @Actor
        public void consumer() {
            spin();
            queue.poll();
        }

        /** Looks whether the other one still sleeps. */
        @Arbiter
        public void rest(ZZ_Result result) {
            result.r2 = queue.putters.isAnyoneListed();
        }
    }

    /** Broken twin: who leaves does not look whether the wake-up was for it. Must be found out. */
    @JCStressTest
    @JCStressMeta(PutterThatLeaves.class)
    @State
    public static class BrokenLeavingPutter extends PutterThatLeaves {
        /** A full queue. */
        public BrokenLeavingPutter() {
            super(new WaitingQueue<>(new ManyToManyQueue<>(2), PARKING) {
                @Override
                void handRoomOn() {
                    // Leaves it to others.
                }
            });
        }

        /** Waits for a moment. */
        @Override
        @Actor
        public void putter(ZZ_Result result) {
            super.putter(result);
        }

        /** Takes one. */
        @Override
        @Actor
        public void consumer() {
            super.consumer();
        }

        /** Looks whether the other one still sleeps. */
        @Override
        @Arbiter
        public void rest(ZZ_Result result) {
            super.rest(result);
        }
    }

    /** An element comes as the taker of a one-to-one queue, whose exchange on a slot is its fence, lies down. */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "it got the element, and nobody woke it")
    @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "it got the element, and was woken")
    @Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "it found none, and was woken")
    @Outcome(expect = Expect.FORBIDDEN, desc = "an element is there, and the taker sleeps")
    @State
    public static class TakerThatLiesDown {
        private final OneToOneQueue<String> inside;
        private final WaitingQueue<String> queue;

        /** An empty queue. */
        public TakerThatLiesDown() {
            this(new OneToOneQueue<>(2));
        }

        private TakerThatLiesDown(OneToOneQueue<String> inside) {
            this(inside, inside.waiting(PARKING));
        }

        TakerThatLiesDown(OneToOneQueue<String> inside, WaitingQueue<String> queue) {
            this.inside = inside;
            this.queue = queue;
        }

        /** Arms, and looks once more. */
        @Actor
        public void taker(ZZ_Result result) {
            queue.takers.arm();
            result.r1 = inside.poll() != null;
        }

        /** Adds one. */
        @Actor
        public void producer() {
            queue.offer("element");
        }

        /** Looks whether the taker still sleeps. */
        @Arbiter
        public void rest(ZZ_Result result) {
            result.r2 = queue.takers.isAnyoneListed();
        }
    }

    /** Broken twin: the element is stored without a fence. Must be found out. */
    @JCStressTest
    @JCStressMeta(TakerThatLiesDown.class)
    @State
    public static class BrokenUnfencedOffer extends TakerThatLiesDown {
        /** An empty queue. */
        public BrokenUnfencedOffer() {
            this(new OneToOneQueue<>(2));
        }

        private BrokenUnfencedOffer(OneToOneQueue<String> inside) {
            super(inside, new WaitingQueue<>(inside, PARKING) {
                @Override
                public boolean offer(String element) {
                    boolean added = inside.offer(element);
                    takers.wakeOneFenced();
                    return added;
                }
            });
        }

        /** Arms, and looks once more. */
        @Override
        @Actor
        public void taker(ZZ_Result result) {
            super.taker(result);
        }

        /** Adds one. */
        @Override
        @Actor
        public void producer() {
            super.producer();
        }

        /** Looks whether the taker still sleeps. */
        @Override
        @Arbiter
        public void rest(ZZ_Result result) {
            super.rest(result);
        }
    }

    /** A place becomes free as the putter lies down. */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "it got the place, and nobody woke it")
    @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "it got the place, and was woken")
    @Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "it found none, and was woken")
    @Outcome(expect = Expect.FORBIDDEN, desc = "there is room, and the putter sleeps")
    @State
    public static class PutterThatLiesDown {
        private final OneToOneQueue<String> inside = new OneToOneQueue<>(1);
        private final WaitingQueue<String> queue = inside.waiting(PARKING);

        /** A full queue. */
        public PutterThatLiesDown() {
            queue.offer("first");
        }

        /** Arms, and looks once more. */
        @Actor
        public void putter(ZZ_Result result) {
            queue.putters.arm();
            result.r1 = inside.offer("second");
        }

        /** Takes one. */
        @Actor
        public void consumer() {
            queue.poll();
        }

        /** Looks whether the putter still sleeps. */
        @Arbiter
        public void rest(ZZ_Result result) {
            result.r2 = queue.putters.isAnyoneListed();
        }
    }
}
